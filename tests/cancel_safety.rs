//! A run may be dropped at any await point: nothing stays out, and budgets are right.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};
use std::task::Poll;
use std::time::Duration;

use retry_plan::{Attempt, Budget, Interrupted, Scope, retry_policy};

#[derive(Debug)]
struct Oops;

impl From<Interrupted> for Oops {
    fn from(_: Interrupted) -> Self {
        Self
    }
}

/// What one policy's operations did.
#[derive(Default)]
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
    /// Fails after `ms` milliseconds and one more turn, until the attempt `wins`.
    async fn call(&self, cx: Attempt, ms: u64, wins: u32) -> Result<u32, Oops> {
        self.started.fetch_add(1, SeqCst);
        self.out.fetch_add(1, SeqCst);
        let _out = Out(self);
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(ms)).await;
        if cx.number() + cx.copy() > wins {
            self.succeeded.fetch_add(1, SeqCst);
            Ok(cx.number())
        } else {
            Err(Oops)
        }
    }
}

/// Polls `run` at most `polls` times, a millisecond apart; whether it has ended.
async fn poll(mut run: Pin<&mut impl Future>, polls: u32) -> bool {
    for _ in 0..polls {
        if poll_fn(|task| Poll::Ready(run.as_mut().poll(task).is_ready())).await {
            return true;
        }
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    false
}

/// Drops a fresh run after each number of polls until one ends by itself, and checks the books each time.
macro_rules! sweep {
    ($budget:ident, |$calls:ident| $run:expr) => {{
        let mut polls = 0;
        let mut cancelled = 0;
        loop {
            $budget.reset();
            let $calls = Calls::default();
            let ended = {
                let run = pin!($run);
                poll(run, polls).await
            };
            let stats = $budget.stats();
            assert_eq!(
                $calls.out.load(SeqCst),
                0,
                "after {polls} polls: no call stays out"
            );
            assert_eq!(
                stats.requests + stats.retries + stats.hedges,
                $calls.started.load(SeqCst),
                "after {polls} polls: every call was a first one or was paid for: {stats:?}"
            );
            assert_eq!(
                stats.successes + stats.failures + stats.timed_out + stats.throttled + stats.cancelled,
                $calls.started.load(SeqCst),
                "after {polls} polls: every call's end is in the books, dropped or not: {stats:?}"
            );
            assert_eq!(
                stats.successes,
                $calls.succeeded.load(SeqCst),
                "after {polls} polls: what succeeded counts as that: {stats:?}"
            );
            let paid = (stats.retries + stats.hedges) * $budget.scheme().retry;
            assert_eq!(
                stats.available + paid,
                $budget.scheme().capacity,
                "after {polls} polls: what never started was given back: {stats:?}"
            );
            cancelled += stats.cancelled;
            if ended {
                assert!(cancelled > 0, "calls were dropped while they were out");
                break;
            }
            polls += 1;
            assert!(polls < 10_000, "the run ends at some time");
        }
        polls
    }};
}

#[tokio::test(start_paused = true)]
async fn a_retry_may_be_dropped_at_every_await_point() {
    static PAID: Budget = Budget::ratio(0.0, 100);
    retry_policy! {
        struct Three {
            deadline(1s) { retry(attempts = 3, backoff = fixed(5ms), jitter = none, budget = PAID) { attempt(10ms) } }
        }
    }
    let polls = sweep!(PAID, |calls| Three::run(async |cx| calls.call(cx, 3, 3).await));
    assert!(polls > 15, "{polls}");
}

#[tokio::test(start_paused = true)]
async fn a_hedge_may_be_dropped_at_every_await_point() {
    static PAID: Budget = Budget::ratio(0.0, 100);
    retry_policy! {
        struct Copies {
            timeout(1s) { hedge(after = 4ms, copies = 3, budget = PAID) { attempt(50ms) } }
        }
    }
    let polls = sweep!(PAID, |calls| Copies::run(async |cx| calls.call(cx, 6, 3).await));
    assert!(polls > 10, "{polls}");
}

#[tokio::test(start_paused = true)]
async fn everything_at_once_may_be_dropped_at_every_await_point() {
    static PAID: Budget = Budget::ratio(0.0, 100);
    retry_policy! {
        struct Everything {
            deadline(1s) { series {
                first: retry(attempts = 2, backoff = fixed(3ms), jitter = none, budget = PAID) { attempt(10ms) },
                then: parallel {
                    left: hedge(after = 3ms, copies = 2, budget = PAID) { attempt(10ms) },
                    right: fallback {
                        fresh: retry(attempts = 2, backoff = fixed(2ms), jitter = none, budget = PAID) { attempt(10ms) },
                        stale: retry(attempts = 2, backoff = fixed(2ms), jitter = none, budget = PAID) { attempt(10ms) },
                    },
                },
                last: race {
                    near: retry(attempts = 2, backoff = fixed(2ms), jitter = none, budget = PAID) { attempt(10ms) },
                    far: retry(attempts = 2, backoff = fixed(2ms), jitter = none, budget = PAID) { attempt(10ms) },
                },
            } }
        }
    }
    let polls = sweep!(PAID, |calls| {
        Everything::new()
            .first(async |cx| calls.call(cx, 2, 2).await)
            .left(async |cx| calls.call(cx, 5, 2).await)
            .fresh(async |cx| calls.call(cx, 2, 9).await)
            .stale(async |cx| calls.call(cx, 2, 2).await)
            .near(async |cx| calls.call(cx, 6, 2).await)
            .far(async |cx| calls.call(cx, 2, 2).await)
            .run()
    });
    assert!(polls > 30, "{polls}");
}

#[tokio::test(start_paused = true)]
async fn an_allowance_and_a_scope_may_be_dropped_at_every_await_point() {
    static PAID: Budget = Budget::ratio(0.0, 100);
    retry_policy! {
        struct Allowed {
            timeout(1s) {
                allowance(PAID = 2) {
                    retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = PAID) { attempt(10ms) }
                }
            }
        }
    }
    let polls = sweep!(PAID, |calls| {
        Scope::new()
            .within(Duration::from_secs(5))
            .allowance(&PAID, 5)
            .cancellable()
            .run(Allowed::run(async |cx| calls.call(cx, 2, 3).await))
    });
    assert!(polls > 10, "{polls}");
}

#[tokio::test(start_paused = true)]
async fn async_hooks_may_be_dropped_at_every_await_point() {
    static PAID: Budget = Budget::ratio(0.0, 100);
    let polls = sweep!(PAID, |calls| {
        let calls = &calls;
        retry_policy! {
            type Error = Oops;
            deadline(1s) {
                retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = PAID,
                      when = async |_| {
                          tokio::time::sleep(Duration::from_millis(3)).await;
                          true
                      },
                      on_retry = async |_| tokio::time::sleep(Duration::from_millis(3)).await) {
                    attempt(10ms) async |cx| calls.call(cx, 2, 3).await
                }
            }
        }
    });
    assert!(polls > 15, "{polls}");
}

#[tokio::test(start_paused = true)]
async fn a_policy_in_place_and_the_policy_that_it_calls_may_be_dropped_at_every_await_point() {
    static PAID: Budget = Budget::ratio(0.0, 100);
    retry_policy! {
        struct Inner {
            timeout(500ms) { retry(attempts = 2, backoff = fixed(3ms), jitter = none, budget = PAID) { attempt(10ms) } }
        }
        struct Outer {
            timeout(1200ms) { retry(attempts = 2, backoff = fixed(3ms), jitter = none) { call(Inner) } }
        }
    }
    let polls = sweep!(PAID, |calls| {
        let calls = &calls;
        retry_policy!(Outer, async |outer| {
            // The first run of the inner policy fails as a whole.
            let wins = if outer.number() == 1 { 9 } else { 2 };
            Inner::run(async |cx| calls.call(cx, 2, wins).await).await
        })
    });
    assert!(polls > 20, "{polls}");
}

#[tokio::test(start_paused = true)]
async fn values_that_are_not_there_yet_and_unlimited_attempts_may_be_dropped_at_every_await_point() {
    static PAID: Budget = Budget::ratio(0.0, 1000);
    let polls = sweep!(PAID, |calls| {
        let calls = &calls;
        retry_policy! {
            type Error = Oops;
            deadline(200ms) {
                retry(attempts = unlimited, backoff = fixed(1ms), jitter = none, budget = PAID, until = |number| *number > 7) {
                    attempt(10ms) async |cx| calls.call(cx, 1, 0).await
                }
            }
        }
    });
    assert!(polls > 15, "{polls}");
}
