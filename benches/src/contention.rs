//! Budgets under contention: how often a second threads that share one can pay in and draw.

use crate::measure::{as_f64, nanos};
use std::hint::black_box;
use std::sync::{Arc, Barrier};
use std::time::Instant;
use tower::retry::budget::{Budget as _, TpsBudget};

/// Operations of one thread in one sample.
const OPERATIONS: u64 = 200_000;

/// A budget in a state.
pub struct Contestant {
    /// The budget's kind.
    pub name: &'static str,
    /// What the operations find.
    pub state: &'static str,
    /// Makes the budget, and what one thread does `n` times with it.
    pub make: fn() -> Arc<dyn Fn(u64) + Send + Sync>,
}

/// Every budget in every state.
#[must_use]
pub fn contestants() -> Vec<Contestant> {
    static FULL: retry_runtime::Budget = retry_runtime::Budget::ratio(0.2, 100);
    static USED: retry_runtime::Budget = retry_runtime::Budget::ratio(0.2, 100_000);
    vec![
        Contestant {
            name: "retry-plan Budget",
            state: "full: each run pays in",
            make: || {
                FULL.reset();
                Arc::new(|n| (0..n).for_each(|_| black_box(&FULL).request()))
            },
        },
        Contestant {
            name: "retry-plan Budget",
            state: "in use: pay in, draw",
            make: || {
                USED.reset();
                Arc::new(|n| {
                    for _ in 0..n / 2 {
                        black_box(&USED).request();
                        black_box(
                            USED.admit(retry_runtime::Repeat::Retry)
                                .map(retry_runtime::Charge::spend),
                        );
                    }
                })
            },
        },
        Contestant {
            name: "tower TpsBudget",
            state: "full: each run pays in",
            make: || {
                let budget = TpsBudget::default();
                Arc::new(move |n| (0..n).for_each(|_| black_box(&budget).deposit()))
            },
        },
        Contestant {
            name: "tower TpsBudget",
            state: "in use: pay in, draw",
            make: || {
                let budget = TpsBudget::default();
                Arc::new(move |n| {
                    for _ in 0..n / 2 {
                        black_box(&budget).deposit();
                        black_box(black_box(&budget).withdraw());
                    }
                })
            },
        },
    ]
}

/// The rate of all threads together.
///
/// # Panics
///
/// Where a worker did.
#[must_use]
pub fn millions_per_second(contestant: &Contestant, threads: usize) -> f64 {
    let work = (contestant.make)();
    let barrier = Arc::new(Barrier::new(threads));
    let workers: Vec<_> = (0..threads)
        .map(|_| {
            let (work, barrier) = (Arc::clone(&work), Arc::clone(&barrier));
            std::thread::spawn(move || {
                barrier.wait();
                let start = Instant::now();
                work(OPERATIONS);
                start.elapsed()
            })
        })
        .collect();
    // Each thread's own rate: what the operating system takes away while starting threads isn't the budget's.
    workers
        .into_iter()
        .map(|worker| as_f64(OPERATIONS) * 1e3 / nanos(worker.join().expect("no panic in a worker")))
        .sum()
}
