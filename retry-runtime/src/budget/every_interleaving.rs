//! Bucket and tally under loom, which runs every interleaving of a few operations with their own code.

use core::array;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;

use super::bucket::Bucket;
use super::share::{FIRST_FILLING, IDLE};
use super::slot::{Slots, WORDS};
use super::tally::{COUNTERS, Counter, Own, Stripes, Tally};
use super::terms::{Parts, Terms};

fn check(test: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    // Weak exchanges may fail at every turn; three switches away from a thread show every race of two operations.
    model.preemption_bound = Some(3);
    model.check(test);
}

const TWO: Terms = Terms::alone(2);

/// One that misses so much.
fn bucket(missing: u64) -> Arc<Bucket<AtomicU64>> {
    Arc::new(Bucket {
        word: AtomicU64::new(missing),
        filling: AtomicU64::new(FIRST_FILLING),
    })
}

#[test]
fn two_withdrawals_and_a_deposit_grant_no_more_than_there_is() {
    check(|| {
        let bucket = bucket(1);
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let bucket = Arc::clone(&bucket);
                thread::spawn(move || u64::from(bucket.withdraw(1, &TWO, None)))
            })
            .collect();
        bucket.deposit(1, &TWO, None);
        let granted: u64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert!((1..=2).contains(&granted));
        assert_eq!(bucket.missing(&TWO), granted, "no update is lost");
    });
}

#[test]
fn a_charge_given_back_beside_a_withdrawal_is_neither_lost_nor_doubled() {
    check(|| {
        let bucket = bucket(0);
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || {
            let granted = other.withdraw(2, &TWO, None);
            if granted {
                other.deposit(2, &TWO, None);
            }
        });
        let kept = bucket.withdraw(1, &TWO, None);
        thread.join().unwrap();
        assert_eq!(bucket.missing(&TWO), u64::from(kept));
    });
}

#[test]
fn a_penalty_beside_a_deposit_keeps_the_bucket_within_its_bounds() {
    check(|| {
        let bucket = bucket(1);
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || other.drain(3, &TWO, None));
        bucket.deposit(2, &TWO, None);
        thread.join().unwrap();
        // Penalty first: empty, then full. Deposit first: full, then empty.
        assert!(matches!(bucket.missing(&TWO), 0 | 2));
    });
}

#[test]
fn a_reserve_holds_against_two_withdrawals() {
    const RESERVED: Terms = Terms::reserving(2, 1);
    check(|| {
        let bucket = bucket(0);
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || other.withdraw(1, &RESERVED, None));
        let here = bucket.withdraw(1, &RESERVED, None);
        assert!(here ^ thread.join().unwrap(), "one of them, never both");
        assert_eq!(bucket.missing(&RESERVED), 1);
    });
}

/// A bucket of which each of two slots can lease two units.
struct Leased {
    bucket: Bucket<AtomicU64>,
    stripes: Stripes<AtomicU64, 2>,
    slots: Slots<AtomicU64>,
}

const LEASING: Terms = Terms::leasing(32, 2);

fn stripe(held: Option<u64>) -> [AtomicU64; WORDS] {
    array::from_fn(|word| {
        AtomicU64::new(if word == COUNTERS {
            held.map_or(IDLE, |held| FIRST_FILLING + held)
        } else {
            0
        })
    })
}

impl Leased {
    /// `shared` units in the bucket itself, and what each lease holds.
    fn new(shared: u64, held: [Option<u64>; 2]) -> Arc<Self> {
        let marks = (0..2).filter(|slot| held[*slot].is_some()).map(|slot| 1 << slot);
        let missing = LEASING.capacity() - shared;
        Arc::new(Self {
            bucket: Bucket {
                word: AtomicU64::new(Terms::join(Parts {
                    missing,
                    marks: marks.sum(),
                })),
                filling: AtomicU64::new(FIRST_FILLING),
            },
            stripes: Stripes(held.map(stripe)),
            slots: Slots(AtomicU64::new(0b11)),
        })
    }

    fn own(&self, slot: usize) -> Own<'_, AtomicU64> {
        self.stripes.of(slot).expect("there are two")
    }

    fn draws(&self, slot: usize) -> u64 {
        u64::from(self.bucket.draws(1, &LEASING, self.own(slot), &self.slots))
    }

    /// Pays in, and returns how much found room.
    fn pays(&self, slot: usize, units: u64) -> u64 {
        units - self.bucket.pays_in(units, &LEASING, self.own(slot))
    }

    /// What is left in the bucket and all leases; checks that it can't grow beyond the capacity.
    fn left(&self) -> u64 {
        let Parts { missing, marks } = LEASING.split(self.bucket.word.load(Relaxed));
        assert!(missing >= LEASING.leased(marks), "what is leased is missing");
        let left = self.bucket.available(&LEASING, |slot| Some(self.own(slot)));
        assert!(
            left >= LEASING.capacity() - missing,
            "a lease holds something or nothing"
        );
        left
    }
}

/// Runs both at the same time, each with a slot of its own, and returns what they do.
fn both(all: &Arc<Leased>, one: fn(&Leased, usize) -> u64, other: fn(&Leased, usize) -> u64) -> [u64; 2] {
    let there = Arc::clone(all);
    let thread = thread::spawn(move || other(&there, 1));
    let here = one(all, 0);
    [here, thread.join().unwrap()]
}

#[test]
fn owners_of_leases_draw_no_more_than_bucket_and_leases_hold() {
    check(|| {
        let all = Leased::new(1, [Some(1), Some(0)]);
        let twice = |all: &Leased, slot| all.draws(slot) + all.draws(slot);
        let granted: u64 = both(&all, twice, twice).iter().sum();
        assert_eq!(granted + all.left(), 2);
        assert!(granted >= 1, "only what a lease holds may be out of reach");
    });
}

#[test]
fn owners_of_leases_pay_in_no_more_than_there_is_room_for() {
    check(|| {
        let all = Leased::new(27, [Some(1), Some(2)]);
        let pays = |all: &Leased, slot| all.pays(slot, 2);
        let paid: u64 = both(&all, pays, pays).iter().sum();
        assert_eq!(all.left(), 30 + paid);
        assert!(all.left() <= 32);
    });
}

#[test]
fn a_thread_without_a_lease_and_one_with_one_lose_and_double_nothing() {
    check(|| {
        let all = Leased::new(1, [None, Some(1)]);
        let draws = |all: &Leased, slot| all.draws(slot);
        let pays_and_draws = |all: &Leased, slot| {
            assert_eq!(all.pays(slot, 2), 2);
            all.draws(slot)
        };
        let granted: u64 = both(&all, draws, pays_and_draws).iter().sum();
        assert_eq!(granted + all.left(), 4);
    });
}

#[test]
fn a_thread_without_a_lease_pays_in_what_those_of_others_leave_room_for() {
    check(|| {
        let all = Leased::new(29, [None, Some(1)]);
        let twice = |all: &Leased, slot| all.pays(slot, 1) + all.pays(slot, 1);
        let paid: u64 = both(&all, twice, twice).iter().sum();
        assert_eq!(
            paid, 2,
            "there was room for one more in the lease, and for one outside"
        );
        assert_eq!(all.left(), 32);
    });
}

#[test]
fn what_a_thread_leaves_at_its_end_is_reclaimed_once() {
    check(|| {
        let all = Leased::new(0, [None, Some(0)]);
        let ends = |all: &Leased, slot| {
            all.pays(slot, 1);
            all.slots.give_back(slot);
            0
        };
        let reclaims = |all: &Leased, slot| {
            all.bucket
                .reclaim(&LEASING, &all.slots, |slot| Some(all.own(slot)));
            all.draws(slot)
        };
        let [granted, _] = both(&all, reclaims, ends);
        assert_eq!(granted + all.left(), 1);
        let granted = granted + reclaims(&all, 0);
        assert_eq!((granted, all.left()), (1, 0), "nobody has leased anything");
    });
}

#[test]
fn a_reset_beside_a_draw_leaves_the_bucket_full_or_one_short_of_it() {
    check(|| {
        let all = Leased::new(1, [None, Some(1)]);
        let fills = |all: &Leased, _| {
            all.bucket.fill(&LEASING);
            0
        };
        let draws = |all: &Leased, slot| all.draws(slot) + all.draws(slot);
        let [_, granted] = both(&all, fills, draws);
        let left = all.left();
        assert!(left <= 32 && left + granted >= 32 - 2, "{left}");
        all.bucket.hand_back(&LEASING, all.own(1));
        assert_eq!(all.left(), left);
    });
}

/// Three stripes, which is what loom's stacks hold: two that are owned, one that is shared.
fn tally() -> Tally<AtomicU64, 2, 1> {
    let stripe = |_| stripe(None);
    Tally {
        owned: Stripes(array::from_fn(stripe)),
        shared: Stripes(array::from_fn(stripe)),
        before: array::from_fn(|_| AtomicU64::new(0)),
    }
}

#[test]
fn a_slot_has_one_owner_and_who_takes_it_next_goes_on_from_its_counts() {
    check(|| {
        let all = Arc::new((Slots(AtomicU64::new(0)), tally()));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let all = Arc::clone(&all);
                thread::spawn(move || {
                    let (slots, tally) = &*all;
                    let slot = slots.take().expect("there are more slots than threads");
                    tally.count_on(slot, Counter::Requests);
                    slots.give_back(slot);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        let (slots, tally) = &*all;
        assert_eq!(tally.counted(Counter::Requests), 2);
        assert_eq!(slots.take(), Some(0), "both were given back");
    });
}

#[test]
fn a_count_beside_a_reset_is_before_it_or_after_it() {
    check(|| {
        let tally = Arc::new(tally());
        let [counting, resetting] = [&tally, &tally].map(Arc::clone);
        let counting = thread::spawn(move || counting.count_on(0, Counter::Requests));
        let resetting = thread::spawn(move || resetting.reset_one(Counter::Requests));
        // Less than nothing would overflow.
        assert!(tally.counted(Counter::Requests) <= 1);
        counting.join().unwrap();
        resetting.join().unwrap();
        assert!(tally.counted(Counter::Requests) <= 1);
        tally.reset_one(Counter::Requests);
        tally.count_on(0, Counter::Requests);
        assert_eq!(tally.counted(Counter::Requests), 1);
    });
}
