//! What is paid inside a lease in one step, and what isn't a lease though it might look like one.

use core::sync::atomic::Ordering::Relaxed;

use super::leases::{beside_a_lease, granted, lease, one_of, owning, scheme, share};
use super::share::{FILLING, FIRST_FILLING, IDLE, LAST_FILLING, Share};
use super::slot::Slots;
use super::tally::Stripes;
use super::terms::Parts;
use super::*;
use crate::rng;

#[test]
fn a_trial_books_with_a_lease_what_its_steps_do_one_by_one() {
    owning(|| {
        let (mut leased, mut refused) = (0, 0);
        for seed in 0..200 {
            println!("seed {seed}");
            let _seeded = rng::seed(seed);
            let scheme = scheme();
            let drained = one_of(&[0, scheme.capacity / 2, scheme.capacity - 20]);
            let [whole, steps]: [&'static Budget; 2] = [(); 2].map(|()| {
                let budget = Box::leak(Box::new(Budget::new(scheme)));
                budget.bucket.0.drain(drained, &budget.terms, None);
                &*budget
            });
            for _ in 0..200 {
                let mut trial = Trial::at_once(|| whole);
                steps.request();
                let mut paid = None;
                loop {
                    let end = one_of(&[
                        End::Success,
                        End::Failure,
                        End::Failure,
                        End::TimedOut,
                        End::Throttled,
                        End::Cancelled,
                    ]);
                    if let End::Success = end {
                        trial.succeeded();
                        paid.map_or_else(
                            || steps.record(end),
                            |repeat| steps.succeeded(scheme.cost(repeat)),
                        );
                        break;
                    }
                    if let End::Cancelled = end {
                        steps.record(end);
                        break;
                    }
                    trial.failed(end);
                    steps.record(end);
                    let repeat = one_of(&[Repeat::Retry, Repeat::TimedOut]);
                    let granted = trial.again_at_once(repeat);
                    assert_eq!(granted, steps.spend(repeat), "{end:?} {repeat:?}");
                    if !granted {
                        refused += 1;
                        break;
                    }
                    paid = Some(repeat);
                }
                drop(trial);
                assert_eq!(whole.stats(), steps.stats());
                leased += u32::from(share(whole).has_lease());
            }
        }
        // Of 40,000 runs.
        assert!(leased > 10_000 && refused > 500, "{leased} {refused}");
    });
}

#[test]
fn a_payment_of_any_size_makes_no_lease_of_none() {
    const LARGE: Scheme = Scheme {
        capacity: 1 << 50,
        per_request: FILLING,
        retry: FILLING,
        ..Scheme::UNLIMITED
    };
    const LENDING: Scheme = Scheme {
        lends: true,
        ..Scheme::ratio(0.1, 1_000)
    };
    owning(|| {
        let [large, lending] = [LARGE, LENDING].map(|scheme| {
            let budget = Box::leak(Box::new(Budget::new(scheme)));
            budget.bucket.0.drain(scheme.capacity, &budget.terms, None);
            budget
        });
        for missing in 0..FILLING.min(3) {
            // From a share that nothing was taken off to that of a filling, and a little more and less.
            lending.succeeded(FILLING - missing);
            assert_eq!(lending.available(), lending.scheme.capacity);
            assert!(!share(lending).has_lease());
            lending.bucket.0.drain(u64::MAX, &lending.terms, None);
        }
        for _ in 0..3 {
            large.request();
            assert!(!share(large).has_lease());
            assert_eq!(large.available(), FILLING);
            assert!(large.withdraw::<true>(Repeat::Retry));
            assert!(!large.withdraw::<true>(Repeat::Retry));
        }
    });
}

#[test]
fn resets_beyond_the_last_number_fill_the_bucket_all_the_same() {
    static BUDGET: Budget = Budget::ratio(1.0, 1_000);
    let budget = &BUDGET;
    budget.bucket.0.filling.0.store(LAST_FILLING, Relaxed);
    owning(|| {
        for _ in 0..3 {
            budget.bucket.0.drain(500_000_000, &budget.terms, None);
            lease(budget);
            assert_eq!(granted(budget), 500);
            budget.reset();
            assert_eq!(budget.available(), 1_000_000_000);
            assert!(budget.bucket.0.is_full());
        }
    });
    budget.bucket.0.drain(500_000_000, &budget.terms, None);
    let left = beside_a_lease(budget, || {
        budget.reset();
        budget.available()
    });
    let most = 1_000_000_000;
    assert!(
        (most - budget.terms.lease()..most).contains(&left),
        "{left}: what others hold isn't filled"
    );
    assert_eq!(budget.bucket.0.filling(), LAST_FILLING);
}

#[test]
fn who_knows_of_an_older_filling_takes_a_lease_of_a_newer_one_for_full() {
    let held = |of, holds, known| Share(&AtomicU64::new(of + holds)).held(known, 20);
    let newer = FIRST_FILLING + FILLING;
    assert_eq!(held(newer, 3, newer), 3);
    assert_eq!(held(newer, 3, FIRST_FILLING), 20);
    assert_eq!(held(FIRST_FILLING, 3, newer), 20, "it was filled since");
    assert_eq!(held(IDLE, 3, FIRST_FILLING), 0, "there is none");
}

#[test]
fn nobody_is_refused_what_an_ended_thread_may_have_left() {
    const TERMS: Terms = Terms::leasing(1_000, 20);
    let stripes = Stripes::<AtomicU64, 2>::new();
    let [mine, other] = [0, 1].map(|slot| stripes.of(slot).unwrap());
    let told = |taken, marks| {
        let bucket = Bucket::full();
        bucket.word.store(
            Terms::join(Parts {
                missing: 1_000,
                marks,
            }),
            Relaxed,
        );
        bucket.withdraw_alone(1, &TERMS, mine.share(), &Slots(AtomicU64::new(taken)))
    };
    other.share().agreed(Some(20), FIRST_FILLING);
    for (mark, state) in [(0, "without a lease"), (1, "with an empty one")] {
        if mark > 0 {
            mine.share().agreed(Some(0), FIRST_FILLING);
        }
        assert_eq!(told(0b11, 0b10 | mark), Some(false), "{state}");
        assert_eq!(told(0b01, 0b10 | mark), None, "{state}");
    }
}
