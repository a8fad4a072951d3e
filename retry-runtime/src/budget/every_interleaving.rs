//! Bucket and tally under loom, which runs every interleaving of a few operations with their own code.

use core::array;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;
use loom::thread;

use super::bucket::Bucket;
use super::slot::Slots;
use super::tally::{Counter, Stripe, Tally};

fn check(test: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    // Weak exchanges may fail at every turn; three switches away from a thread show every race of two operations.
    model.preemption_bound = Some(3);
    model.check(test);
}

/// A bucket of two that misses so much.
fn bucket(missing: u64) -> Arc<Bucket<AtomicU64>> {
    Arc::new(Bucket(AtomicU64::new(missing)))
}

#[test]
fn two_withdrawals_and_a_deposit_grant_no_more_than_there_is() {
    check(|| {
        let bucket = bucket(1);
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let bucket = Arc::clone(&bucket);
                thread::spawn(move || u64::from(bucket.withdraw(1, 2)))
            })
            .collect();
        bucket.deposit(1);
        let granted: u64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert!((1..=2).contains(&granted));
        assert_eq!(bucket.missing(), granted, "no update is lost");
    });
}

#[test]
fn a_charge_given_back_beside_a_withdrawal_is_neither_lost_nor_doubled() {
    check(|| {
        let bucket = bucket(0);
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || {
            let granted = other.withdraw(2, 2);
            if granted {
                other.deposit(2);
            }
        });
        let kept = bucket.withdraw(1, 2);
        thread.join().unwrap();
        assert_eq!(bucket.missing(), u64::from(kept));
    });
}

#[test]
fn a_penalty_beside_a_deposit_keeps_the_bucket_within_its_bounds() {
    check(|| {
        let bucket = bucket(1);
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || other.drain(3, 2));
        bucket.deposit(2);
        thread.join().unwrap();
        // Penalty first: empty, then full. Deposit first: full, then empty.
        assert!(matches!(bucket.missing(), 0 | 2));
    });
}

#[test]
fn a_reserve_holds_against_two_withdrawals() {
    check(|| {
        let bucket = bucket(0);
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || other.withdraw(1, 1));
        let here = bucket.withdraw(1, 1);
        assert!(here ^ thread.join().unwrap(), "one of them, never both");
        assert_eq!(bucket.missing(), 1);
    });
}

/// Three stripes, which is what loom's stacks hold: two that are owned, one that is shared.
fn tally() -> Tally<AtomicU64, 2, 1> {
    let stripe = |_| Stripe(array::from_fn(|_| AtomicU64::new(0)));
    Tally {
        owned: array::from_fn(stripe),
        shared: array::from_fn(stripe),
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
                    tally.count_in(slot, Counter::Requests);
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
        let counting = thread::spawn(move || counting.count_in(0, Counter::Requests));
        let resetting = thread::spawn(move || resetting.reset_one(Counter::Requests));
        // Less than nothing would overflow.
        assert!(tally.counted(Counter::Requests) <= 1);
        counting.join().unwrap();
        resetting.join().unwrap();
        assert!(tally.counted(Counter::Requests) <= 1);
        tally.reset_one(Counter::Requests);
        tally.count_in(0, Counter::Requests);
        assert_eq!(tally.counted(Counter::Requests), 1);
    });
}
