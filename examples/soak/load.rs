//! The load, and what has to be true after it.

use std::alloc::System;
use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use retry_plan::{Attempt, Budget, Interrupted, Scope, retry_policy};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many bytes of it are in use.
fn live() -> i64 {
    let stats = HEAP.stats();
    i64::try_from(stats.bytes_allocated).expect("in range")
        - i64::try_from(stats.bytes_deallocated).expect("in range")
}

/// How many runs are in flight at a time.
const IN_FLIGHT: usize = 512;

static SINGLE: Budget = Budget::ratio(0.2, 1_000);
static HEDGED: Budget = Budget::ratio(0.0, u32::MAX);
static PAGE: Budget = Budget::ratio(0.0, u32::MAX);
static NESTED: Budget = Budget::aws();

retry_policy! {
    /// One operation, in a deadline.
    struct Single {
        type Error = Oops;
        deadline(40ms) {
            retry(attempts = ..=4, backoff = exponential(1ms, factor = 2, max = 4ms), jitter = full, budget = SINGLE,
                  when = Oops::is_transient) {
                attempt(5ms)
            }
        }
    }

    /// Copies.
    struct Hedged {
        timeout(60ms) { hedge(after = 1ms, copies = 3, budget = HEDGED) { attempt(6ms) } }
    }

    /// Steps and branches, each its own way.
    struct Page {
        deadline(80ms) { series {
            user: retry(attempts = 2, backoff = fixed(1ms), jitter = full, budget = PAGE) { attempt(5ms) },
            rest: parallel {
                orders: hedge(after = 1ms, copies = 2, budget = PAGE) { attempt(5ms) },
                offers: fallback {
                    fresh: retry(attempts = 2, backoff = none, budget = PAGE) { attempt(3ms) },
                    stale: retry(attempts = 2, backoff = none, budget = PAGE) { attempt(3ms) },
                },
            },
        } }
    }

    /// A policy that another one calls, under an allowance.
    struct Callee {
        timeout(20ms) { retry(attempts = ..=3, backoff = fixed(1ms), jitter = full, budget = NESTED) { attempt(4ms) } }
    }
    struct Caller {
        #[allow(retry_budget_exceeded, cannot_fit, amplification, reason = "refusals and cuts are part of the load")]
        timeout(50ms) {
            allowance(NESTED = 2) { retry(attempts = 2, backoff = none, budget = NESTED) { call(Callee) } }
        }
    }
}

/// What the operations fail with.
#[derive(Debug)]
pub(crate) struct Oops {
    transient: bool,
}

impl Oops {
    fn is_transient(&self) -> bool {
        self.transient
    }
}

impl From<Interrupted> for Oops {
    fn from(_: Interrupted) -> Self {
        Self { transient: true }
    }
}

/// The calls of one policy's operations.
#[derive(Debug, Default)]
struct Calls {
    started: AtomicU64,
    out: AtomicI64,
    succeeded: AtomicU64,
}

struct Out<'c>(&'c Calls);

impl Drop for Out<'_> {
    fn drop(&mut self) {
        self.0.out.fetch_sub(1, SeqCst);
    }
}

impl Calls {
    const fn new() -> Self {
        Self {
            started: AtomicU64::new(0),
            out: AtomicI64::new(0),
            succeeded: AtomicU64::new(0),
        }
    }

    /// One call: usually at once, sometimes later, sometimes never.
    async fn call(&self, cx: Attempt, dice: u64) -> Result<u64, Oops> {
        self.started.fetch_add(1, SeqCst);
        self.out.fetch_add(1, SeqCst);
        let _out = Out(self);
        // Each attempt and copy of a run throws its own.
        let dice = mix(dice ^ u64::from(cx.number()) << 32 ^ u64::from(cx.copy()));
        match dice % 100 {
            0..60 => {}
            60..75 => tokio::task::yield_now().await,
            75..97 => sleep(Duration::from_micros(dice >> 40 & 0xfff)).await,
            _ => std::future::pending().await,
        }
        match (dice >> 8) % 100 {
            0..75 => {
                self.succeeded.fetch_add(1, SeqCst);
                Ok(dice)
            }
            75..95 => Err(Oops { transient: true }),
            _ => Err(Oops { transient: false }),
        }
    }
}

static SINGLE_CALLS: Calls = Calls::new();
static HEDGED_CALLS: Calls = Calls::new();
static PAGE_CALLS: Calls = Calls::new();
static NESTED_CALLS: Calls = Calls::new();

/// `SplitMix64`'s output function.
fn mix(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

async fn one(dice: u64) {
    let throw = |salt: u64| mix(dice ^ salt);
    let work = async {
        match dice % 4 {
            0 => {
                let _ = Single::run(async |cx| SINGLE_CALLS.call(cx, dice).await).await;
            }
            1 => {
                let _ = Hedged::run(async |cx| HEDGED_CALLS.call(cx, dice).await).await;
            }
            2 => {
                let _ = Page::new()
                    .user(async |cx| PAGE_CALLS.call(cx, throw(1)).await)
                    .orders(async |cx| PAGE_CALLS.call(cx, throw(2)).await)
                    .fresh(async |cx| PAGE_CALLS.call(cx, throw(3)).await)
                    .stale(async |cx| PAGE_CALLS.call(cx, throw(4)).await)
                    .run()
                    .await;
            }
            _ => {
                let _ = Caller::run(async |outer| {
                    let dice = throw(outer.number().into());
                    Callee::run(async |cx| NESTED_CALLS.call(cx, dice).await).await
                })
                .await;
            }
        }
    };
    let later = Duration::from_micros(dice >> 20 & 0x1fff);
    // Some are dropped at any time, some run in a scope that ends or is cancelled.
    match (dice >> 8) % 10 {
        0 => drop(timeout(later, work).await),
        1 => Scope::new().within(later).run(work).await,
        2 => Scope::new().run_until(sleep(later), work).await,
        3 => Scope::new().allowance(&PAGE, 1).run(work).await,
        _ => work.await,
    }
}

/// What was counted.
#[derive(Debug)]
pub(crate) struct Report {
    calls: u64,
    heap: [i64; 2],
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} calls; heap {} bytes after a tenth, {} at the end",
            self.calls, self.heap[0], self.heap[1]
        )?;
        for (name, budget) in [
            ("single", &SINGLE),
            ("hedged", &HEDGED),
            ("page", &PAGE),
            ("nested", &NESTED),
        ] {
            writeln!(f, "{name}: {:?}", budget.stats())?;
        }
        Ok(())
    }
}

async fn end_one(tasks: &mut JoinSet<()>) {
    let ended = tasks.join_next().await.expect("some are out");
    ended.expect("no run panics");
}

/// Runs the load and checks that everything adds up.
///
/// # Panics
///
/// If something doesn't.
pub(crate) fn soak(runs: u64, seed: u64) -> Report {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .expect("a runtime");
    let heap = runtime.block_on(async {
        let mut tasks = JoinSet::new();
        let mut after_a_tenth = 0;
        for run in 0..runs {
            if tasks.len() >= IN_FLIGHT {
                end_one(&mut tasks).await;
            }
            if run == runs / 10 {
                while !tasks.is_empty() {
                    end_one(&mut tasks).await;
                }
                after_a_tenth = live();
            }
            tasks.spawn(one(mix(seed ^ mix(run))));
        }
        while !tasks.is_empty() {
            end_one(&mut tasks).await;
        }
        [after_a_tenth, live()]
    });
    drop(runtime);
    let mut calls = 0;
    for (name, budget, counted) in [
        ("single", &SINGLE, &SINGLE_CALLS),
        ("hedged", &HEDGED, &HEDGED_CALLS),
        ("page", &PAGE, &PAGE_CALLS),
    ] {
        let stats = budget.stats();
        let started = counted.started.load(SeqCst);
        assert_eq!(counted.out.load(SeqCst), 0, "{name}: no call is left out");
        assert_eq!(
            stats.requests + stats.retries + stats.hedges,
            started,
            "{name}: every call was a first one or was paid for"
        );
        assert_eq!(
            stats.successes,
            counted.succeeded.load(SeqCst),
            "{name}: every success was counted"
        );
        let ended = stats.successes + stats.failures + stats.timed_out + stats.throttled + stats.cancelled;
        assert_eq!(
            ended, started,
            "{name}: every call's end is in the books: {stats:?}"
        );
        calls += started;
    }
    for (name, budget) in [("hedged", &HEDGED), ("page", &PAGE)] {
        let stats = budget.stats();
        let paid = (stats.retries + stats.hedges) * budget.scheme().retry;
        assert_eq!(
            stats.available + paid,
            budget.scheme().capacity,
            "{name}: what was paid is missing, and nothing else"
        );
    }
    let single = SINGLE.stats();
    let funded = single.requests * SINGLE.scheme().per_request + SINGLE.scheme().capacity;
    assert!(
        single.retries * SINGLE.scheme().retry + single.available <= funded,
        "no more is granted than funded"
    );
    assert_eq!(NESTED_CALLS.out.load(SeqCst), 0);
    calls += NESTED_CALLS.started.load(SeqCst);
    // Both times nothing is out: what is left is what threads and timers keep for the next runs.
    let grown = heap[1] - heap[0];
    assert!(grown < 16 * 1024, "memory is flat: {heap:?}");
    Report { calls, heap }
}
