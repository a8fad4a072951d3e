//! The bucket under loom, which runs every interleaving of a few operations with the bucket's own code.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;

use super::bucket::{Bucket, Word};

impl Word for AtomicU64 {
    fn load(&self) -> u64 {
        self.load(Relaxed)
    }

    fn store(&self, value: u64) {
        self.store(value, Relaxed);
    }

    fn replace(&self, current: u64, new: u64) -> Result<u64, u64> {
        self.compare_exchange_weak(current, new, Relaxed, Relaxed)
    }
}

fn check(test: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    // Weak exchanges may fail at every turn; three switches away from a thread show every race of two operations.
    model.preemption_bound = Some(3);
    model.check(test);
}

#[test]
fn two_withdrawals_and_a_deposit_grant_no_more_than_there_is() {
    check(|| {
        let bucket = Arc::new(Bucket(AtomicU64::new(1)));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let bucket = Arc::clone(&bucket);
                thread::spawn(move || u64::from(bucket.withdraw(1, 0)))
            })
            .collect();
        bucket.deposit(1, 2);
        let granted: u64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert!((1..=2).contains(&granted));
        assert_eq!(bucket.units() + granted, 2, "no update is lost");
    });
}

#[test]
fn a_charge_given_back_beside_a_withdrawal_is_neither_lost_nor_doubled() {
    check(|| {
        let bucket = Arc::new(Bucket(AtomicU64::new(2)));
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || {
            let granted = other.withdraw(2, 0);
            if granted {
                other.deposit(2, 2);
            }
        });
        let kept = bucket.withdraw(1, 0);
        thread.join().unwrap();
        assert_eq!(bucket.units() + u64::from(kept), 2);
    });
}

#[test]
fn a_penalty_beside_a_deposit_keeps_the_bucket_within_its_bounds() {
    check(|| {
        let bucket = Arc::new(Bucket(AtomicU64::new(1)));
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || other.drain(3));
        bucket.deposit(2, 2);
        thread.join().unwrap();
        // Penalty first: 0, then 2. Deposit first: 2, then 0.
        assert!(matches!(bucket.units(), 0 | 2));
    });
}

#[test]
fn a_floor_holds_against_two_withdrawals() {
    check(|| {
        let bucket = Arc::new(Bucket(AtomicU64::new(3)));
        let other = Arc::clone(&bucket);
        let thread = thread::spawn(move || other.withdraw(1, 2));
        let here = bucket.withdraw(1, 2);
        assert!(here ^ thread.join().unwrap(), "one of them, never both");
        assert_eq!(bucket.units(), 2);
    });
}
