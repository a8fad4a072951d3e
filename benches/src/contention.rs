//! Budgets under contention: how often a second threads that share one can pay in and draw.

use crate::measure::{as_f64, nanos};
use retry_runtime::Repeat;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};
use tower::retry::budget::{Budget as _, TpsBudget};

/// Operations of one thread between two looks at the clock; a multiple of every state's round.
const OPERATIONS: u64 = 6_000;

/// How long the threads of one sample work at the same time: shorter than an operating system lets one run on.
const WINDOW: Duration = Duration::from_millis(2);

/// What one thread does so many times.
type Work = Arc<dyn Fn(u64) + Send + Sync>;

/// A budget in a state.
pub struct Contestant {
    /// The budget's kind.
    pub name: &'static str,
    /// What the operations find.
    pub state: &'static str,
    /// Makes the budget, and what one thread does `n` times with it.
    pub make: fn() -> Work,
}

/// What both kinds of budget do.
trait Payable {
    fn pay_in(&self);
    fn draw(&self) -> bool;
}

impl Payable for &'static retry_runtime::Budget {
    fn pay_in(&self) {
        self.request();
    }

    fn draw(&self) -> bool {
        self.spend(Repeat::Retry)
    }
}

impl Payable for TpsBudget {
    fn pay_in(&self) {
        self.deposit();
    }

    fn draw(&self) -> bool {
        self.withdraw()
    }
}

/// A word that is compared and swapped, and nothing else: what a budget in one word costs at least.
struct Bare(AtomicU64);

impl Bare {
    fn change(&self, change: impl Fn(u64) -> u64) {
        let mut now = self.0.load(Relaxed);
        while let Err(changed) = self.0.compare_exchange_weak(now, change(now), Relaxed, Relaxed) {
            now = changed;
        }
    }
}

impl Payable for Bare {
    fn pay_in(&self) {
        self.change(|now| now + 1);
    }

    fn draw(&self) -> bool {
        self.change(|now| now - 1);
        true
    }
}

/// The contestant that no budget in one word is faster than.
pub const BARE: &str = "a compare-and-swap alone";

/// What a thread does over and over: so many pay in, then so many draw.
#[derive(Clone, Copy)]
pub struct Round {
    pay: u64,
    draw: u64,
}

/// Nothing is ever drawn.
pub const FULL: &str = "full: each run pays in";
/// A repeat for each request is funded, so that every draw is granted, and the budget is next to never full.
pub const IN_USE: &str = "in use: pay in, draw";
/// A repeat for five requests is funded, and asked for after each fifth.
pub const FUNDED: &str = "in use: five pay in, one draws";
/// The same in bursts, which are more than a thread's share of the budget holds.
pub const BURSTS: &str = "in use, in bursts: a hundred pay in, twenty draw";
/// Of a small budget, which has shares for two threads only.
pub const SMALL: &str = "in use, capacity 20: pay in, draw";
/// A repeat for five requests is funded, and each wants one.
pub const EXHAUSTED: &str = "exhausted: pay in, most are refused";

/// Every state.
pub const STATES: [&str; 6] = [FULL, IN_USE, FUNDED, BURSTS, SMALL, EXHAUSTED];

const PAY: Round = Round { pay: 1, draw: 0 };
const PAY_DRAW: Round = Round { pay: 1, draw: 1 };
const FIVE: Round = Round { pay: 5, draw: 1 };
const HUNDRED: Round = Round { pay: 100, draw: 20 };

fn work(budget: impl Payable + Send + Sync + 'static, round: Round) -> Work {
    Arc::new(move |n| {
        for _ in 0..n / (round.pay + round.draw) {
            for _ in 0..round.pay {
                black_box(&budget).pay_in();
            }
            for _ in 0..round.draw {
                black_box(black_box(&budget).draw());
            }
        }
    })
}

macro_rules! ours {
    ($state:expr, $ratio:expr, $capacity:expr, $round:expr) => {
        Contestant {
            name: "retry-plan Budget",
            state: $state,
            make: || {
                static BUDGET: retry_runtime::Budget = retry_runtime::Budget::ratio($ratio, $capacity);
                BUDGET.reset();
                if $round.draw > 0 {
                    // From the middle, where no payment is lost at the top and none refused at the bottom.
                    while BUDGET.affordable() > $capacity / 2 {
                        assert!(BUDGET.spend(Repeat::Retry), "there is half left");
                    }
                }
                work(&BUDGET, $round)
            },
        }
    };
}

macro_rules! tower {
    ($state:expr, $ratio:expr, $reserve:expr, $round:expr) => {
        Contestant {
            name: "tower TpsBudget",
            state: $state,
            make: || {
                const TTL: Duration = Duration::from_secs(10);
                work(TpsBudget::new(TTL, $reserve / 10, $ratio), $round)
            },
        }
    };
}

macro_rules! bare {
    ($state:expr, $round:expr) => {
        Contestant {
            name: BARE,
            state: $state,
            make: || work(Bare(AtomicU64::new(1 << 40)), $round),
        }
    };
}

/// Every budget in every state, each with the same ratio and reserve.
#[must_use]
pub fn contestants() -> Vec<Contestant> {
    vec![
        ours!(FULL, 0.2, 100, PAY),
        tower!(FULL, 0.2, 100, PAY),
        ours!(IN_USE, 1.0, 1_000, PAY_DRAW),
        tower!(IN_USE, 1.0, 1_000, PAY_DRAW),
        bare!(IN_USE, PAY_DRAW),
        ours!(FUNDED, 0.2, 1_000, FIVE),
        tower!(FUNDED, 0.2, 1_000, FIVE),
        bare!(FUNDED, FIVE),
        ours!(BURSTS, 0.2, 1_000, HUNDRED),
        tower!(BURSTS, 0.2, 1_000, HUNDRED),
        ours!(SMALL, 1.0, 20, PAY_DRAW),
        tower!(SMALL, 1.0, 20, PAY_DRAW),
        ours!(EXHAUSTED, 0.2, 100, PAY_DRAW),
        tower!(EXHAUSTED, 0.2, 100, PAY_DRAW),
    ]
}

/// The rate of all threads together, over the time from the first one's start to the last one's end.
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
                // What a thread does once is done before.
                work(OPERATIONS);
                barrier.wait();
                let start = Instant::now();
                let mut made = 0;
                loop {
                    work(OPERATIONS);
                    made += OPERATIONS;
                    let now = Instant::now();
                    if now - start >= WINDOW {
                        return (made, start, now);
                    }
                }
            })
        })
        .collect();
    let ended: Vec<_> = workers
        .into_iter()
        .map(|worker| worker.join().expect("no panic in a worker"))
        .collect();
    let made: u64 = ended.iter().map(|(made, ..)| made).sum();
    let first = ended.iter().map(|(_, start, _)| *start).min();
    let last = ended.iter().map(|(.., end)| *end).max();
    let took = first
        .zip(last)
        .map_or(Duration::ZERO, |(first, last)| last - first);
    as_f64(made) * 1e3 / nanos(took)
}
