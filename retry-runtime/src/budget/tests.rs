//! What a budget holds, on one thread, on several, and under loom.

use std::cell::Cell;
use std::thread;

use super::word::Word;
use super::*;
use crate::scope::Scope;
use crate::scope::testing::block_on;

/// A fresh static: a budget's identity is its address, and tests run at the same time.
macro_rules! budget {
    ($new:expr) => {{
        static BUDGET: Budget = $new;
        &BUDGET
    }};
}

fn spend(budget: &'static Budget, repeat: Repeat) -> bool {
    budget.admit(repeat).map(Charge::spend).is_some()
}

fn empty(terms: &Terms) -> Bucket {
    let bucket = Bucket::full();
    bucket.drain(terms.capacity(), terms, None);
    bucket
}

#[test]
fn it_starts_full_and_refuses_when_it_is_empty() {
    let budget = budget!(Budget::ratio(0.1, 3));
    assert_eq!((0..10).filter(|_| spend(budget, Repeat::Retry)).count(), 3);
    let stats = budget.stats();
    assert_eq!((stats.retries, stats.refused), (3, 7));
}

#[test]
fn a_budget_tells_its_name_and_state_when_it_is_printed() {
    let budget = budget!(Budget::aws().named("payments"));
    budget.request();
    assert_eq!(budget.name(), "payments");
    let text = format!("{budget:?}");
    assert!(
        text.contains("\"payments\"") && text.contains("requests: 1") && text.contains("available: 500"),
        "{text}"
    );
}

#[test]
fn ten_requests_at_a_ratio_of_six_tenths_fund_six_retries() {
    let budget = budget!(Budget::ratio(0.6, 100));
    while spend(budget, Repeat::Retry) {}
    for _ in 0..10 {
        budget.request();
    }
    assert_eq!((0..20).filter(|_| spend(budget, Repeat::Retry)).count(), 6);
}

#[test]
fn every_decimal_ratio_is_exact() {
    for (ratio, units) in [
        (0.1, 100_000),
        (0.2, 200_000),
        (0.3, 300_000),
        (0.7, 700_000),
        (0.000_001, 1),
        (2.0, 2_000_000),
        (0.0, 0),
        (-1.0, 0),
        (f64::NAN, 0),
    ] {
        assert_eq!(Scheme::ratio(ratio, 1).per_request, units, "{ratio}");
    }
}

#[test]
fn a_billion_deposits_of_a_tenth_are_a_hundred_million() {
    const DEPOSIT: u64 = 100_000;
    const RETRY: u64 = 1_000_000;
    let terms = &Terms::alone(u64::MAX);
    let bucket = empty(terms);
    // Whole numbers: the sum of the first 999 million is their product. Floats would go wrong in the last million, where
    // the sum is large and a tenth is small; these are made one by one.
    bucket.deposit(999_000_000 * DEPOSIT, terms, None);
    for _ in 0..1_000_000 {
        bucket.deposit(DEPOSIT, terms, None);
    }
    assert_eq!(u64::MAX - bucket.missing(terms), 100_000_000 * RETRY);
}

#[test]
#[ignore = "ten seconds in a release build, minutes without: run with `--release -- --ignored`"]
fn a_billion_deposits_made_one_by_one_are_a_hundred_million() {
    let terms = &Terms::alone(u64::MAX);
    let bucket = empty(terms);
    for _ in 0..1_000_000_000 {
        bucket.deposit(100_000, terms, None);
    }
    assert_eq!(u64::MAX - bucket.missing(terms), 100_000_000_000_000);
}

#[test]
fn nothing_is_saved_up_beyond_the_capacity() {
    let budget = budget!(Budget::ratio(1.0, 5));
    for _ in 0..100 {
        budget.request();
    }
    assert_eq!(budget.affordable(), 5);
}

#[test]
fn a_charge_that_is_dropped_is_given_back_and_one_that_is_spent_is_not() {
    let budget = budget!(Budget::ratio(0.1, 2));
    let charge = budget.admit(Repeat::Retry).unwrap();
    assert_eq!(budget.affordable(), 1);
    drop(charge);
    assert_eq!(budget.affordable(), 2);
    assert!(spend(budget, Repeat::Hedge));
    assert_eq!(budget.affordable(), 1);
    let stats = budget.stats();
    assert_eq!((stats.retries, stats.hedges, stats.given_back), (0, 1, 1));
}

#[test]
fn grpc_repeats_only_while_more_than_half_of_the_tokens_are_left() {
    let budget = budget!(Budget::grpc(10, 0.5));
    for failures in 1..=4 {
        budget.record(End::Failure);
        assert!(
            spend(budget, Repeat::Retry),
            "{failures} failures leave more than half"
        );
    }
    budget.record(End::Failure);
    assert!(
        !spend(budget, Repeat::Retry),
        "exactly half is not more than half"
    );
    budget.record(End::Success);
    assert!(spend(budget, Repeat::Retry));
    for _ in 0..100 {
        budget.record(End::TimedOut);
    }
    assert_eq!(budget.available(), 0, "a penalty takes what there is");
}

#[test]
fn aws_charges_five_ten_after_a_timeout_and_gives_back_what_helped() {
    let budget = budget!(Budget::aws());
    assert_eq!(budget.available(), 500);
    let paid = budget.admit(Repeat::Retry).unwrap().spend();
    assert_eq!((paid, budget.available()), (5, 495));
    let late = budget.admit(Repeat::TimedOut).unwrap().spend();
    assert_eq!((late, budget.available()), (10, 485));
    budget.succeeded(late);
    assert_eq!(budget.available(), 495, "the retry that helped is given back");
    budget.succeeded(0);
    assert_eq!(budget.available(), 496, "a first success gives one");
    assert_eq!(budget.stats().successes, 2);
}

#[test]
fn aws_makes_a_hundred_retries_and_no_more() {
    let budget = budget!(Budget::aws());
    assert_eq!((0..200).filter(|_| spend(budget, Repeat::Retry)).count(), 100);
}

#[test]
fn the_known_schemes_charge_every_kind_of_repeat() {
    let costs =
        |scheme: Scheme| [Repeat::Retry, Repeat::TimedOut, Repeat::Hedge].map(|repeat| scheme.cost(repeat));
    assert_eq!(costs(Scheme::ratio(0.1, 1)), [1_000_000; 3]);
    assert_eq!(costs(Scheme::AWS), [5, 10, 5]);
    assert_eq!(costs(Scheme::grpc(10, 0.1)), [0; 3]);
    assert_eq!(costs(Scheme::UNLIMITED), [0; 3]);
}

#[test]
fn a_floor_is_a_reserve_that_no_repeat_touches() {
    let budget = budget!(Budget::new(Scheme {
        capacity: 10,
        retry: 1,
        floor: 4,
        ..Scheme::UNLIMITED
    }));
    assert_eq!(budget.affordable(), 6);
    assert_eq!((0..20).filter(|_| spend(budget, Repeat::Retry)).count(), 6);
    assert_eq!((budget.available(), budget.affordable()), (4, 0));
}

#[test]
fn each_outcome_has_its_own_penalty() {
    static BUDGET: Budget = Budget::new(Scheme {
        capacity: 1_000,
        per_success: 1,
        penalties: Penalties {
            failure: 2,
            timed_out: 30,
            throttled: 400,
            cancelled: 5,
        },
        ..Scheme::UNLIMITED
    });
    for (end, left) in [
        (End::Failure, 998),
        (End::TimedOut, 968),
        (End::Throttled, 568),
        (End::Cancelled, 563),
        (End::Success, 564),
    ] {
        BUDGET.record(end);
        assert_eq!(BUDGET.available(), left, "{end:?}");
    }
    let stats = BUDGET.stats();
    let counted = [
        stats.successes,
        stats.failures,
        stats.timed_out,
        stats.throttled,
        stats.cancelled,
    ];
    assert_eq!(counted, [1; 5]);
}

#[test]
fn an_unlimited_budget_refuses_nothing_and_counts() {
    let budget = budget!(Budget::unlimited());
    assert_eq!(budget.affordable(), u64::MAX);
    assert!((0..1_000).all(|_| spend(budget, Repeat::TimedOut)));
    assert_eq!(budget.stats().retries, 1_000);
}

#[test]
fn both_rates_are_over_requests() {
    let budget = budget!(Budget::ratio(0.0, 3));
    assert!(
        budget.stats().repeat_rate().abs() < f64::EPSILON,
        "no request, no rate"
    );
    for _ in 0..10 {
        budget.request();
    }
    assert!(spend(budget, Repeat::Hedge));
    assert_eq!((0..7).filter(|_| spend(budget, Repeat::Retry)).count(), 2);
    let stats = budget.stats();
    assert!((stats.repeat_rate() - 0.3).abs() < 1e-12);
    assert!((stats.refusal_rate() - 0.5).abs() < 1e-12);
}

#[test]
fn a_reset_fills_the_bucket_and_forgets_the_counts() {
    let budget = budget!(Budget::ratio(0.5, 4));
    budget.request();
    budget.record(End::Failure);
    while spend(budget, Repeat::Retry) {}
    budget.reset();
    assert_eq!(
        budget.stats(),
        Stats {
            available: 4_000_000,
            ..Stats::default()
        }
    );
}

#[test]
fn a_full_or_empty_bucket_is_only_read() {
    /// Counts what is written.
    struct Counted(Cell<u64>, Cell<u32>);

    impl Word for Counted {
        fn load(&self) -> u64 {
            self.0.get()
        }

        fn store(&self, value: u64) {
            self.0.set(value);
        }

        fn replace(&self, current: u64, new: u64) -> Result<u64, u64> {
            assert_eq!(self.0.replace(new), current);
            self.1.set(self.1.get() + 1);
            Ok(current)
        }
    }

    let new = |value| Counted(Cell::new(value), Cell::new(0));
    let bucket = Bucket {
        word: new(0),
        filling: new(0),
    };
    let terms = &Terms::alone(10);
    bucket.deposit(3, terms, None);
    bucket.drain(0, terms, None);
    assert!(bucket.withdraw(0, terms, None));
    assert!(!bucket.withdraw(11, terms, None));
    assert_eq!(bucket.word.1.get(), 0);
    bucket.drain(100, terms, None);
    assert_eq!(bucket.word.1.get(), 1);
    bucket.drain(100, terms, None);
    bucket.deposit(0, terms, None);
    assert_eq!(bucket.word.1.get(), 1);
}

#[test]
fn an_allowance_bounds_what_runs_inside_and_is_shared_by_siblings() {
    let budget = budget!(Budget::unlimited());
    let granted = block_on(Scope::new().allowance(budget, 3).run(async {
        let sibling = async { (0..5).filter(|_| spend(budget, Repeat::Retry)).count() };
        let other = async { (0..5).filter(|_| spend(budget, Repeat::Hedge)).count() };
        (sibling.await, other.await)
    }));
    assert_eq!(granted, (3, 0));
    assert!(spend(budget, Repeat::Retry), "outside, nothing is bounded");
}

#[test]
fn a_charge_must_pass_every_allowance_and_the_bucket_or_takes_nothing() {
    let budget = budget!(Budget::ratio(0.0, 1));
    block_on(Scope::new().allowance(budget, 5).run(async {
        Scope::new()
            .allowance(budget, 2)
            .run(async {
                let left = || (Scope::current().allowed(budget), budget.affordable());
                let charge = budget.admit(Repeat::Retry).unwrap();
                assert_eq!(left(), (Some(1), 0));
                assert!(budget.admit(Repeat::Retry).is_none());
                assert_eq!(
                    left(),
                    (Some(1), 0),
                    "the bucket's refusal takes nothing from the allowances"
                );
                drop(charge);
                assert_eq!(left(), (Some(2), 1));
            })
            .await;
        assert_eq!(Scope::current().allowed(budget), Some(5));
    }));
}

#[test]
fn a_repeat_that_starts_at_once_passes_the_same_allowances() {
    let budget = budget!(Budget::ratio(0.0, 5));
    block_on(Scope::new().allowance(budget, 2).run(async {
        assert_eq!((0..4).filter(|_| budget.spend(Repeat::Hedge)).count(), 2);
        let mut trial = Trial::first(|| budget);
        trial.failed(End::Failure);
        assert!(!trial.again_at_once(Repeat::Retry));
    }));
    assert!(budget.spend(Repeat::Retry), "outside, nothing is bounded");
    let stats = budget.stats();
    assert_eq!((stats.hedges, stats.retries, stats.refused), (2, 1, 3));
    assert_eq!((stats.requests, stats.failures), (1, 1));
    assert_eq!(budget.affordable(), 2);
}

/// A scheme in which everything has a price of its own.
const PRICED: Scheme = Scheme {
    capacity: 1_000_000,
    per_request: 1,
    per_success: 10,
    retry: 100,
    timed_out: 1_000,
    hedge: 0,
    floor: 0,
    lends: false,
    penalties: Penalties {
        failure: 3,
        timed_out: 30,
        throttled: 300,
        cancelled: 3_000,
    },
};

/// Pays for a repeat and starts it, in one step or in two.
fn again<B: Fn() -> &'static Budget>(trial: &mut Trial<B>, at_once: bool, repeat: Repeat) -> bool {
    if at_once {
        return trial.again_at_once(repeat);
    }
    let admitted = trial.admit(repeat);
    if admitted {
        trial.again();
    }
    admitted
}

#[test]
fn a_trial_books_each_try_once_whether_repeats_wait_or_not() {
    for (at_once, budget) in [
        (true, budget!(Budget::new(PRICED))),
        (false, budget!(Budget::new(PRICED))),
    ] {
        budget.record(End::Cancelled);
        let mut trial = Trial::first(|| budget);
        trial.failed(End::Failure);
        assert!(again(&mut trial, at_once, Repeat::Retry));
        trial.failed(End::TimedOut);
        assert!(again(&mut trial, at_once, Repeat::TimedOut));
        trial.succeeded();
        // A value that isn't there yet was counted.
        trial.ended(End::Success);
        assert!(again(&mut trial, at_once, Repeat::Retry));
        trial.ended(End::Throttled);
        drop(trial);
        let stats = budget.stats();
        let expected = Stats {
            requests: 1,
            successes: 1,
            failures: 1,
            timed_out: 1,
            throttled: 1,
            cancelled: 1,
            retries: 3,
            available: 1_000_000 - 3_000 + 1 - 3 - 100 - 30 - 1_000 + 10 - 100 - 300,
            ..Stats::default()
        };
        assert_eq!(stats, expected, "at once: {at_once}");
    }
}

#[test]
fn a_trial_that_is_dropped_counts_the_try_that_is_out_and_gives_back_the_one_that_is_not() {
    let budget = budget!(Budget::new(PRICED));
    drop(Trial::first(|| budget));
    let mut trial = Trial::first(|| budget);
    trial.failed(End::Failure);
    assert!(trial.admit(Repeat::TimedOut));
    drop(trial);
    let mut trial = Trial::first(|| budget);
    trial.failed(End::Failure);
    assert!(trial.again_at_once(Repeat::Retry));
    drop(trial);
    let stats = budget.stats();
    assert_eq!((stats.requests, stats.failures, stats.cancelled), (3, 2, 2));
    assert_eq!((stats.retries, stats.given_back), (1, 1));
    // The first deposit found the bucket full.
    assert_eq!(stats.available, 1_000_000 - 3_000 + 1 - 3 + 1 - 3 - 100 - 3_000);
}

#[test]
fn an_allowance_is_for_its_own_budget_only() {
    let bounded = budget!(Budget::unlimited());
    let other = budget!(Budget::unlimited());
    block_on(Scope::new().allowance(bounded, 0).run(async {
        assert!(!spend(bounded, Repeat::Retry));
        assert!(spend(other, Repeat::Retry));
    }));
}

#[test]
fn four_threads_at_a_hundred_tokens_are_granted_a_hundred() {
    for _ in 0..200 {
        let (bucket, terms) = (Bucket::full(), Terms::alone(100));
        let granted: usize = thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (0..40).filter(|_| bucket.withdraw(1, &terms, None)).count()))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(granted, 100);
    }
}

#[test]
fn no_update_is_lost_between_threads() {
    static BUDGET: Budget = Budget::new(Scheme {
        capacity: 1_000_000_000,
        per_request: 3,
        per_success: 1,
        retry: 7,
        timed_out: 7,
        hedge: 7,
        penalties: Penalties {
            failure: 2,
            ..Penalties::NONE
        },
        ..Scheme::UNLIMITED
    });
    const ROUNDS: u64 = 20_000;
    const THREADS: u64 = 4;
    // From the middle, so that neither end cuts anything off and every unit can be accounted for.
    BUDGET.bucket.0.drain(500_000_000, &BUDGET.terms, None);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for round in 0..ROUNDS {
                    BUDGET.request();
                    let charge = BUDGET.admit(Repeat::Retry).unwrap();
                    if round % 2 == 0 {
                        charge.spend();
                        BUDGET.record(End::Success);
                    } else {
                        drop(charge);
                        BUDGET.record(End::Failure);
                    }
                }
            });
        }
    });
    let each = THREADS * ROUNDS / 2;
    let stats = BUDGET.stats();
    assert_eq!(stats.requests, 2 * each);
    assert_eq!(
        [stats.retries, stats.given_back, stats.successes, stats.failures],
        [each; 4]
    );
    assert_eq!(
        stats.available,
        500_000_000 + 2 * each * 3 + each - each * 7 - each * 2
    );
}

#[test]
fn what_threads_are_granted_never_exceeds_what_was_deposited_and_the_capacity() {
    static BUDGET: Budget = Budget::ratio(0.1, 10);
    const ROUNDS: usize = 20_000;
    let granted: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    (0..ROUNDS)
                        .filter(|_| {
                            BUDGET.request();
                            spend(&BUDGET, Repeat::Retry)
                        })
                        .count()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let funded = 4 * ROUNDS / 10;
    assert!(granted <= funded + 10, "{granted}");
    // Everybody always wants more than there is, so that next to nothing is cut off at the capacity.
    assert!(granted >= funded, "{granted}");
}

#[test]
fn an_allowance_shared_by_threads_grants_what_it_allows_and_no_more() {
    let budget = budget!(Budget::unlimited());
    for _ in 0..50 {
        let scope = Scope::new().allowance(budget, 100);
        let granted: usize = thread::scope(|threads| {
            let all: Vec<_> = (0..4)
                .map(|_| {
                    let scope = scope.clone();
                    threads.spawn(move || {
                        block_on(
                            scope.run(async { (0..40).filter(|_| spend(budget, Repeat::Retry)).count() }),
                        )
                    })
                })
                .collect();
            all.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!((granted, scope.allowed(budget)), (100, Some(0)));
    }
}

#[test]
fn charges_given_back_on_other_threads_are_neither_lost_nor_doubled() {
    let budget = budget!(Budget::ratio(0.0, 8));
    thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..5_000 {
                    let _charge = budget.admit(Repeat::Retry);
                }
            });
        }
    });
    let stats = budget.stats();
    assert_eq!((budget.affordable(), stats.retries), (8, 0));
    assert_eq!(stats.given_back + stats.refused, 20_000);
}
