//! A run makes no allocation of its own, whatever becomes of it; counted by the allocator.
//!
//! One test in a process of its own, since the allocator counts for all threads.

use std::alloc::System;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use retry_plan::{Attempt, Budget, Failure, Interrupted, Scope, retry, retry_policy};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tokio::time::sleep;

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Oops;

impl From<Interrupted> for Oops {
    fn from(_: Interrupted) -> Self {
        Self
    }
}

static BUDGET: Budget = Budget::ratio(0.1, 1_000_000);

retry_policy! {
    struct Charge {
        type Error = Oops;
        deadline(3s) {
            retry(attempts = 3, backoff = exponential(10ms, factor = 2, max = 20ms), jitter = full, budget = BUDGET,
                  when = |_| true, retry_after = |_| Some(0.001), retry_after_max = 1s) {
                attempt(100ms, idempotency_key)
            }
        }
    }

    struct Hedged {
        timeout(1s) { hedge(after = 10ms, copies = 3, budget = BUDGET) { attempt(200ms) } }
    }

    struct Page {
        deadline(2s) { series {
            user: fallback {
                fresh: attempt(50ms),
                stale: attempt(50ms),
            },
            rest: parallel {
                orders: retry(attempts = 2, backoff = fixed(5ms), jitter = none) { attempt(50ms) },
                offers: race {
                    near: attempt(50ms),
                    far: attempt(50ms),
                },
            },
        } }
    }

    struct Allowed {
        timeout(1s) { allowance(BUDGET = 2) { retry(attempts = 2, backoff = none, budget = BUDGET) { attempt(50ms) } } }
    }
}

#[retry(attempts = 3, attempt = 100ms, backoff = fixed(5ms), jitter = none)]
async fn charge(succeeds_at: u32, calls: &mut u32) -> Result<u32, Oops> {
    *calls += 1;
    tokio::task::yield_now().await;
    if *calls < succeeds_at {
        Err(Oops)
    } else {
        Ok(*calls)
    }
}

/// Fails until the attempt `wins`, after so many milliseconds.
async fn call(cx: Attempt, ms: u64, wins: u32) -> Result<u32, Oops> {
    if ms > 0 {
        sleep(Duration::from_millis(ms)).await;
    }
    if cx.number() + cx.copy() > wins {
        Ok(1)
    } else {
        Err(Oops)
    }
}

/// Runs `run` once to warm up what a thread or a timer keeps for itself, and then again, counting.
async fn costs<F: Future>(name: &str, run: impl Fn() -> F) {
    run().await;
    let region = Region::new(HEAP);
    run().await;
    let change = region.change();
    assert_eq!(
        (change.allocations, change.reallocations),
        (0, 0),
        "{name}: {change:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn no_path_of_a_run_allocates() {
    let region = Region::new(HEAP);
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(region.change().allocations, 1, "what is allocated is counted");
    costs("success", || Charge::run(async |cx| call(cx, 0, 1).await)).await;
    costs("success after waiting", || {
        Charge::run(async |cx| call(cx, 5, 1).await)
    })
    .await;
    costs("retry", || Charge::run(async |cx| call(cx, 5, 3).await)).await;
    costs("exhausted, in detail", || {
        Charge::run_detailed(async |cx| call(cx, 5, 9).await)
    })
    .await;
    costs("timeout", || Charge::run(async |cx| call(cx, 500, 9).await)).await;
    costs("hedge not launched", || {
        Hedged::run(async |cx| call(cx, 5, 1).await)
    })
    .await;
    costs("hedge launched", || Hedged::run(async |cx| call(cx, 15, 1).await)).await;
    costs("hedge after failures", || {
        Hedged::run(async |cx| call(cx, 5, 3).await)
    })
    .await;
    costs("hedge lost", || Hedged::run(async |cx| call(cx, 5, 9).await)).await;
    costs("series, fallback, parallel, race", || {
        Page::new()
            .fresh(async |cx| call(cx, 5, 9).await)
            .stale(async |cx| call(cx, 5, 1).await)
            .orders(async |cx| call(cx, 5, 2).await)
            .near(async |cx| call(cx, 9, 1).await)
            .far(async |cx| call(cx, 5, 1).await)
            .run()
    })
    .await;
    costs("a parallel that fails", || {
        Page::new()
            .fresh(async |cx| call(cx, 0, 1).await)
            .stale(async |cx| call(cx, 0, 1).await)
            .orders(async |cx| call(cx, 5, 9).await)
            .near(async |cx| call(cx, 40, 1).await)
            .far(async |cx| call(cx, 40, 1).await)
            .run()
    })
    .await;
    costs("an allowance", || Allowed::run(async |cx| call(cx, 1, 3).await)).await;
    costs("in place", || async {
        let mut calls = 0;
        let run = retry_policy!(
            attempts = 3,
            attempt = 100ms,
            backoff = fixed(5ms),
            jitter = none,
            async |_| {
                calls += 1;
                sleep(Duration::from_millis(1)).await;
                if calls < 3 { Err(Oops) } else { Ok(calls) }
            }
        );
        run.await
    })
    .await;
    costs("a named policy in place", || async {
        let mut calls = 0;
        let run = retry_policy!(Charge, async |_| {
            calls += 1;
            sleep(Duration::from_millis(1)).await;
            if calls < 3 { Err(Oops) } else { Ok(calls) }
        });
        run.await
    })
    .await;
    costs("a function", || async { charge(3, &mut 0).await }).await;
    costs("a deadline around", || {
        Scope::new()
            .within(Duration::from_secs(1))
            .run(Charge::run(async |cx| call(cx, 5, 3).await))
    })
    .await;
    costs("dropped while it waits", || async {
        let mut run = pin!(Hedged::run(async |cx| call(cx, 50, 1).await));
        poll_fn(|task| Poll::Ready(run.as_mut().poll(task).is_pending())).await
    })
    .await;
    let failure: Failure<Oops> = Charge::run_detailed(async |cx| call(cx, 5, 9).await)
        .await
        .unwrap_err();
    assert_eq!((failure.attempts, failure.last), (3, Some(Oops)));
}
