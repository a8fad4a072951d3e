//! What leases may and may not change: nothing for a thread that is alone, never more than there is for several.

use std::sync::Mutex;
use std::thread;

use super::share::{Share, WRITES};
use super::slot::Slots;
use super::tally::Stripes;
use super::*;
use crate::rng;

/// The rules of a bucket, with nothing leased and nobody else there.
struct Model {
    scheme: Scheme,
    available: u64,
}

impl Model {
    fn deposit(&mut self, units: u64) {
        self.available = self.available.saturating_add(units).min(self.scheme.capacity);
    }

    fn withdraw(&mut self, units: u64) -> bool {
        let rest = self.available.checked_sub(units);
        let granted = rest.filter(|rest| *rest >= self.scheme.floor);
        self.available = granted.unwrap_or(self.available);
        granted.is_some()
    }

    fn record(&mut self, end: End) {
        match end {
            End::Success => self.deposit(self.scheme.per_success),
            End::Failure | End::TimedOut | End::Throttled | End::Cancelled => {
                let Penalties {
                    failure,
                    timed_out,
                    throttled,
                    cancelled,
                } = self.scheme.penalties;
                let penalty = match end {
                    End::Success => 0,
                    End::Failure => failure,
                    End::TimedOut => timed_out,
                    End::Throttled => throttled,
                    End::Cancelled => cancelled,
                };
                self.available = self.available.saturating_sub(penalty);
            }
        }
    }
}

pub(super) fn one_of<T: Copy>(values: &[T]) -> T {
    let last = u64::try_from(values.len()).unwrap() - 1;
    values[usize::try_from(rng::up_to(last)).unwrap()]
}

/// Of a kind that leases, except for a few.
pub(super) fn scheme() -> Scheme {
    let capacity = one_of(&[60, 300, 1_000, 5_000, 1 << 39]);
    let [retry, timed_out, hedge] = [0; 3].map(|_| rng::up_to(4));
    let [failure, timed_out_penalty, throttled, cancelled] = [0; 4].map(|_| one_of(&[0, 0, 1, 3]));
    Scheme {
        capacity,
        per_request: rng::up_to(3),
        per_success: rng::up_to(3),
        retry,
        timed_out,
        hedge,
        floor: one_of(&[0, 0, 0, capacity / 2 + 1, capacity - 20]),
        lends: rng::up_to(1) == 1,
        penalties: Penalties {
            failure,
            timed_out: timed_out_penalty,
            throttled,
            cancelled,
        },
    }
}

/// Runs a test on a thread that owns a slot: where many tests run at the same time, some threads share one and lease nothing.
pub(super) fn owning(test: impl Fn() + Sync) {
    let owns = || {
        let owns = slot::other() < slot::OWNED;
        owns.then(&test).is_some()
    };
    while !thread::scope(|threads| threads.spawn(owns).join().unwrap()) {
        thread::yield_now();
    }
}

/// From the middle of a thousand retries, each funded by one request.
macro_rules! half {
    () => {{
        static BUDGET: Budget = Budget::ratio(1.0, 1_000);
        BUDGET.bucket.0.drain(500_000_000, &BUDGET.terms, None);
        &BUDGET
    }};
}

pub(super) fn share(budget: &Budget) -> Share<'_, AtomicU64> {
    budget.tally.own().expect("this thread counts").share()
}

#[test]
fn a_thread_alone_gets_the_answers_of_a_bucket_without_leases() {
    owning(|| {
        const ENDS: [End; 5] = [
            End::Success,
            End::Failure,
            End::TimedOut,
            End::Throttled,
            End::Cancelled,
        ];
        const REPEATS: [Repeat; 3] = [Repeat::Retry, Repeat::TimedOut, Repeat::Hedge];
        let (mut leased, mut refused) = (0, 0);
        for seed in 0..200 {
            println!("seed {seed}");
            let _seeded = rng::seed(seed);
            let scheme = scheme();
            let budget: &'static Budget = Box::leak(Box::new(Budget::new(scheme)));
            let mut model = Model {
                scheme,
                available: scheme.capacity,
            };
            // Near the bottom as often as near the top.
            let drained = one_of(&[0, scheme.capacity / 2, scheme.capacity - 10]);
            budget.bucket.0.drain(drained, &budget.terms, None);
            model.available -= drained;
            // Rare payments of one kind take the level to an end.
            let weight = one_of(&[1, 2, 4]);
            for _ in 0..1_000 {
                match rng::up_to(5 + weight) {
                    0 => {
                        budget.request();
                        model.deposit(scheme.per_request);
                    }
                    1 => {
                        let end = one_of(&ENDS);
                        budget.record(end);
                        model.record(end);
                    }
                    2 => {
                        let charge = budget.admit(one_of(&REPEATS));
                        let charged = charge.as_ref().map(|charge| scheme.cost(charge.repeat));
                        assert!(charged.is_none_or(|units| model.withdraw(units)));
                        drop(charge);
                        model.deposit(charged.unwrap_or(0));
                    }
                    3 => {
                        let paid = rng::up_to(5);
                        budget.succeeded(paid);
                        if paid > 0 && scheme.lends {
                            model.deposit(paid);
                        } else {
                            model.record(End::Success);
                        }
                    }
                    4 if rng::up_to(100) == 0 => {
                        budget.reset();
                        model.available = scheme.capacity;
                    }
                    _ => {
                        let repeat = one_of(&REPEATS);
                        let granted = budget.admit(repeat).map(Charge::spend).is_some();
                        assert_eq!(granted, model.withdraw(scheme.cost(repeat)), "{repeat:?}");
                        refused += u32::from(!granted);
                    }
                }
                assert_eq!(budget.available(), model.available);
                leased += u32::from(share(budget).has_lease());
            }
        }
        // Of 200,000 steps.
        assert!(leased > 20_000 && refused > 2_000, "{leased} {refused}");
    });
}

/// Makes this thread write the word so often that it has a lease.
pub(super) fn lease(budget: &'static Budget) {
    for _ in 0..=WRITES {
        let _given_back = budget.admit(Repeat::Retry).unwrap();
    }
    assert!(share(budget).has_lease());
}

pub(super) fn granted(budget: &'static Budget) -> usize {
    (0..2_000)
        .filter(|_| budget.admit(Repeat::Retry).map(Charge::spend).is_some())
        .count()
}

#[test]
fn a_few_payments_lease_nothing() {
    owning(|| {
        let budget = half!();
        for _ in 1..WRITES / 2 {
            drop(budget.admit(Repeat::Retry));
            assert!(!share(budget).has_lease());
        }
    });
}

#[test]
fn all_leases_are_an_eighth_at_most_or_two_of_them_a_fifth_and_tiny_capacities_have_none() {
    let leases = |scheme: Scheme| Terms::of(&scheme).lease();
    assert_eq!(leases(Scheme::ratio(0.1, 10)), 0);
    assert_eq!(leases(Scheme::ratio(0.1, 11)), 1_100_000);
    assert_eq!(leases(Scheme::ratio(0.1, 1_000)), 5_208_333);
    assert_eq!(leases(Scheme::AWS), 11);
    assert_eq!(leases(Scheme::grpc(10, 0.1)), 0);
    assert_eq!(leases(Scheme::grpc(100, 0.1)), 0, "there is a floor");
    assert_eq!(leases(Scheme::UNLIMITED), 0);
    assert_eq!(
        leases(Scheme::ratio(0.1, u32::MAX)),
        0,
        "the word has no bits for marks"
    );
    for capacity in (0..2_000).step_by(7) {
        let terms = Terms::of(&Scheme::ratio(0.1, capacity));
        let mut marks: u64 = 0;
        while terms.first_held(terms.capacity(), terms.leased(marks)).is_some() {
            marks = marks << 1 | 1;
        }
        let part = match marks.count_ones() {
            0 => continue,
            2 => 5,
            3..=24 => 8,
            count => panic!("{count} leases of {capacity}"),
        };
        assert!(
            terms.leased(marks) <= terms.capacity() / part,
            "{capacity}: {marks:b}"
        );
    }
}

#[test]
fn what_an_ended_thread_had_leased_is_there_for_the_others() {
    let budget = half!();
    owning(|| lease(budget));
    assert_eq!(budget.affordable(), 500);
    assert_eq!(granted(budget), 500);
}

#[test]
fn a_bucket_is_full_again_though_an_ended_thread_had_leased_some() {
    let budget = half!();
    owning(|| lease(budget));
    for _ in 0..600 {
        budget.request();
    }
    assert_eq!(budget.affordable(), 1_000);
    assert!(budget.bucket.0.is_full());
}

/// Runs `then` while another thread has a lease and rests.
pub(super) fn beside_a_lease<T>(budget: &'static Budget, then: impl FnOnce() -> T) -> T {
    thread::scope(|threads| {
        let (leased, waits) = std::sync::mpsc::channel();
        let (done, rests) = std::sync::mpsc::channel::<()>();
        let rests = Mutex::new(rests);
        let other = threads.spawn(move || {
            owning(|| {
                lease(budget);
                leased.send(()).unwrap();
                rests.lock().unwrap().recv().unwrap_err();
            });
        });
        waits.recv().unwrap();
        let told = then();
        drop(done);
        other.join().unwrap();
        told
    })
}

#[test]
fn a_resting_thread_keeps_no_more_than_its_lease_from_the_others() {
    let budget = half!();
    let granted = beside_a_lease(budget, || granted(budget));
    assert!((495..=500).contains(&granted), "{granted}");
    assert_eq!(budget.affordable(), 500 - u64::try_from(granted).unwrap());
}

#[test]
fn a_reset_fills_the_leases_of_others_too() {
    let budget = half!();
    beside_a_lease(budget, || {
        budget.reset();
        assert_eq!(budget.available(), 1_000_000_000);
        budget.request();
        assert_eq!(budget.available(), 1_000_000_000);
    });
    budget.request();
    assert!(budget.bucket.0.is_full());
}

#[test]
fn threads_with_leases_spend_what_was_paid_in_and_nothing_else() {
    const TERMS: Terms = Terms::leasing(1_000, 20);
    const THREADS: u64 = 4;
    for seed in 0..20 {
        println!("seed {seed}");
        let bucket = Bucket::full();
        bucket.drain(seed * 50, &TERMS, None);
        let start = TERMS.capacity() - bucket.missing(&TERMS);
        let stripes = Stripes::<AtomicU64, 4>::new();
        let slots = Slots(AtomicU64::new(0));
        let own = |slot| stripes.of(slot);
        let (mut paid_in, mut spent) = (0, 0);
        thread::scope(|threads| {
            let all: Vec<_> = (0..THREADS)
                .map(|thread| {
                    let (bucket, slots) = (&bucket, &slots);
                    threads.spawn(move || {
                        let _seeded = rng::seed(seed * THREADS + thread);
                        let (mut paid_in, mut spent) = (0, 0);
                        // Each comes and goes, so that what one leaves another finds.
                        for _ in 0..20 {
                            let slot = slots.take().unwrap();
                            let mine = own(slot).unwrap();
                            for _ in 0..200 {
                                let units = rng::up_to(9);
                                if rng::up_to(1) == 0 {
                                    paid_in += units - bucket.pays_in(units, &TERMS, mine);
                                } else if bucket.draws(units, &TERMS, mine, slots) {
                                    spent += units;
                                } else {
                                    bucket.reclaim(&TERMS, slots, own);
                                }
                            }
                            slots.give_back(slot);
                        }
                        (paid_in, spent)
                    })
                })
                .collect();
            for thread in all {
                let (more, less) = thread.join().unwrap();
                paid_in += more;
                spent += less;
            }
        });
        let left = bucket.available(&TERMS, own);
        assert_eq!(start + paid_in, left + spent);
        assert!(left <= TERMS.capacity());
        bucket.reclaim(&TERMS, &slots, own);
        assert_eq!(TERMS.capacity() - bucket.missing(&TERMS), left);
    }
}
