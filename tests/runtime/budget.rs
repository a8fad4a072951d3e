//! What a run pays into its budget, and what it pays from it.

use std::pin::pin;

use retry_plan::{Budget, Penalties, Scheme, Scope, Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, fails, ms, ok};

/// A policy and a budget of its own.
macro_rules! paying {
    ($budget:expr, $($args:tt)*) => {
        static BUDGET: Budget = $budget;
        retry_policy! {
            struct Paying {
                retry(backoff = fixed(10ms), jitter = none, budget = BUDGET, $($args)*) { attempt(100ms) }
            }
        }
    };
}

#[tokio::test(start_paused = true)]
async fn a_refused_retry_returns_the_last_error_unchanged() {
    paying!(Budget::ratio(0.0, 1), attempts = 3);
    let op = Script::new([err(1, 1), err(1, 2)]);
    let failure = Paying::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(
        (failure.stop, failure.last),
        (Stop::BudgetRefused, Some(Oops::Boom(2)))
    );
    assert_eq!(
        (op.starts(), op.now()),
        (vec![0, 11], 12),
        "and doesn't wait first"
    );
    let stats = BUDGET.stats();
    assert_eq!((stats.requests, stats.retries, stats.refused), (1, 1, 1));
}

#[tokio::test(start_paused = true)]
async fn each_run_funds_once_and_each_retry_pays_once() {
    paying!(Budget::ratio(0.5, 10), attempts = 3);
    for _ in 0..4 {
        let op = Script::new([err(1, 1), err(1, 2), ok(1, 3)]);
        assert_eq!(Paying::run(async |_| op.call().await).await, Ok(3));
    }
    // 10 - 4·2 + 4·0.5, the first deposit into a full bucket lost.
    assert_eq!(BUDGET.available(), 3_500_000);
    let stats = BUDGET.stats();
    assert_eq!(
        (stats.requests, stats.retries, stats.successes, stats.failures),
        (4, 8, 4, 8)
    );
    assert!((stats.repeat_rate() - 2.0).abs() < 1e-12);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_checked_after_fit_so_that_what_would_not_fit_pays_nothing() {
    static OWN: Budget = Budget::ratio(0.0, 5);
    retry_policy! {
        struct Tight {
            timeout(100ms) {
                retry(attempts = ..=3, backoff = fixed(95ms), jitter = none, budget = OWN) { attempt(50ms) }
            }
        }
    }
    let op = Script::new([err(10, 1)]);
    let failure = Tight::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(failure.stop, Stop::WontFit);
    assert_eq!((OWN.affordable(), OWN.stats().refused), (5, 0));
}

#[tokio::test(start_paused = true)]
async fn what_was_paid_for_a_wait_that_is_dropped_comes_back() {
    paying!(Budget::ratio(0.0, 5), attempts = 3);
    let op = Script::new([err(1, 1)]);
    {
        let run = pin!(Paying::run(async |_| op.call().await));
        assert!(tokio::time::timeout(ms(5), run).await.is_err());
        // The run is dropped here, in its wait.
    }
    assert_eq!((BUDGET.affordable(), BUDGET.stats().given_back), (5, 1));
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_has_started_stays_paid_when_it_is_dropped() {
    paying!(Budget::ratio(0.0, 5), attempts = 3);
    let op = Script::new([err(1, 1), HANGS]);
    {
        let run = pin!(Paying::run(async |_| op.call().await));
        assert!(tokio::time::timeout(ms(20), run).await.is_err());
    }
    assert_eq!(
        (op.calls(), BUDGET.affordable(), BUDGET.stats().given_back),
        (2, 4, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_a_timeout_has_its_own_price() {
    paying!(Budget::aws(), attempts = 3);
    let op = Script::new([HANGS, err(1, 1), err(1, 2)]);
    let _ = Paying::run(async |_| op.call().await).await;
    assert_eq!(BUDGET.available(), 500 - 10 - 5);
}

#[tokio::test(start_paused = true)]
async fn aws_gives_back_what_the_retry_that_helped_had_cost() {
    paying!(Budget::aws(), attempts = 3);
    let op = Script::new([err(1, 1), HANGS, ok(1, 2)]);
    assert_eq!(Paying::run(async |_| op.call().await).await, Ok(2));
    assert_eq!(BUDGET.available(), 495);
    let op = Script::new([ok(1, 1)]);
    assert_eq!(Paying::run(async |_| op.call().await).await, Ok(1));
    assert_eq!(BUDGET.available(), 496);
}

#[tokio::test(start_paused = true)]
async fn grpc_counts_every_failure_and_stops_at_half() {
    paying!(Budget::grpc(4, 0.5), attempts = 5);
    let op = Script::new([err(1, 1)]);
    let failure = Paying::run_detailed(async |_| op.call().await).await.unwrap_err();
    // Four tokens: after one failure three are left, after two exactly half.
    assert_eq!((failure.stop, failure.attempts), (Stop::BudgetRefused, 2));
    assert_eq!(BUDGET.available(), 2_000);
    let op = Script::new([ok(1, 1)]);
    assert_eq!(Paying::run(async |_| op.call().await).await, Ok(1));
    assert_eq!(BUDGET.available(), 2_500);
}

#[tokio::test(start_paused = true)]
async fn a_failure_with_a_hint_is_counted_as_throttled() {
    static OWN: Budget = Budget::new(Scheme {
        capacity: 100,
        penalties: Penalties {
            throttled: 30,
            failure: 1,
            ..Penalties::NONE
        },
        ..Scheme::UNLIMITED
    });
    retry_policy! {
        struct Throttled {
            type Error = Oops;
            retry(attempts = 3, backoff = fixed(10ms), jitter = none, budget = OWN, retry_after = Oops::retry_after,
                  retry_after_max = 1s) {
                attempt(100ms)
            }
        }
    }
    let op = Script::new([fails(1, Oops::Busy(0.01)), err(1, 1), ok(1, 2)]);
    assert_eq!(Throttled::run(async |_| op.call().await).await, Ok(2));
    let stats = OWN.stats();
    assert_eq!((stats.throttled, stats.failures, stats.successes), (1, 1, 1));
    assert_eq!(OWN.available(), 69);
}

#[tokio::test(start_paused = true)]
async fn a_full_outage_is_bounded_by_the_ratio() {
    paying!(Budget::ratio(0.1, 10), attempts = 4);
    let op = Script::new([err(0, 1)]);
    for _ in 0..1_000 {
        let _ = Paying::run(async |_| op.call().await).await;
    }
    // Without a budget it would have been 4000 calls.
    let calls = op.calls();
    assert!((1_100..=1_110).contains(&calls), "{calls}");
}

/// Penalties that are told apart by their digits.
const STRICT: Scheme = Scheme {
    capacity: 100_000,
    retry: 1,
    timed_out: 1,
    hedge: 1,
    penalties: Penalties {
        failure: 10,
        timed_out: 100,
        throttled: 1_000,
        cancelled: 10_000,
    },
    ..Scheme::UNLIMITED
};

/// What is missing.
fn taken(budget: &Budget) -> u64 {
    budget.scheme().capacity - budget.available()
}

#[tokio::test(start_paused = true)]
async fn a_try_that_is_dropped_counts_as_cancelled_and_pays_that_penalty() {
    static OWN: Budget = Budget::new(STRICT);
    retry_policy! {
        struct Tried {
            retry(attempts = 2, backoff = fixed(10ms), jitter = none, budget = OWN) { attempt(50ms) }
        }
        struct Copied {
            hedge(after = 10ms, copies = 3, budget = OWN) { attempt(50ms) }
        }
        struct Both {
            parallel {
                left: retry(attempts = 2, backoff = fixed(10ms), jitter = none, budget = OWN) { attempt(50ms) },
                right: attempt(50ms),
            }
        }
    }
    // The run is dropped.
    let op = Script::new([HANGS]);
    let run = Tried::run(async |_| op.call().await);
    assert!(tokio::time::timeout(ms(5), run).await.is_err());
    assert_eq!((OWN.stats().cancelled, taken(&OWN)), (1, 10_000));

    // Between two tries nothing is out.
    OWN.reset();
    let op = Script::new([err(5, 1)]);
    let run = Tried::run(async |_| op.call().await);
    assert!(tokio::time::timeout(ms(10), run).await.is_err());
    assert_eq!(
        (OWN.stats().cancelled, OWN.stats().failures, taken(&OWN)),
        (0, 1, 10)
    );

    // Two copies lose, and are dropped when the third has won.
    OWN.reset();
    let op = Script::new([HANGS, HANGS, ok(5, 3)]);
    assert_eq!(Copied::run(async |_| op.call().await).await, Ok(3));
    let stats = OWN.stats();
    assert_eq!((stats.cancelled, stats.successes, taken(&OWN)), (2, 1, 20_002));

    // A sibling decides.
    OWN.reset();
    let (left, right) = (Script::new([HANGS]), Script::new([err(5, 1)]));
    let run = Both::new()
        .left(async |_| left.call().await)
        .right(async |_| right.call().await)
        .run();
    assert!(run.await.is_err());
    assert_eq!((OWN.stats().cancelled, taken(&OWN)), (1, 10_000));
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_cuts_copies_off_counts_each_as_timed_out() {
    static OWN: Budget = Budget::new(STRICT);
    retry_policy! {
        struct Copied {
            #[allow(no_attempt_timeout, reason = "the limit is to cut both copies off")]
            timeout(25ms) { hedge(after = 10ms, copies = 2, budget = OWN) { attempt } }
        }
    }
    let op = Script::new([HANGS]);
    assert!(Copied::run(async |_| op.call().await).await.is_err());
    assert_eq!((OWN.stats().timed_out, taken(&OWN)), (2, 201));
}

#[tokio::test(start_paused = true)]
async fn what_never_starts_is_in_no_book() {
    static OWN: Budget = Budget::new(STRICT);
    retry_policy! {
        struct Tried {
            retry(attempts = 2, backoff = fixed(10ms), jitter = none, budget = OWN) { attempt(50ms) }
        }
        struct Copied {
            hedge(after = 10ms, copies = 3, budget = OWN) { attempt(50ms) }
        }
    }
    let cancelled = Scope::new().cancellable();
    cancelled.cancel();
    for scope in [cancelled, Scope::new().within(ms(0))] {
        let op = Script::new([ok(0, 1)]);
        let tried = scope.clone().run(Tried::run(async |_| op.call().await));
        assert!(tried.await.is_err());
        let copied = scope.run(Copied::run(async |_| op.call().await));
        assert!(copied.await.is_err());
        assert_eq!(op.calls(), 0);
    }
    let untouched = Budget::new(STRICT);
    assert_eq!(OWN.stats(), untouched.stats());
}

#[tokio::test(start_paused = true)]
async fn a_run_that_nothing_may_interrupt_funds_the_call_that_it_makes_in_an_expired_scope() {
    static OWN: Budget = Budget::new(STRICT);
    // An error that can't tell of an interruption: the caller's limits hold from the first error on.
    #[derive(Debug, PartialEq)]
    struct Mute;
    retry_policy! {
        struct Tried {
            retry(attempts = 2, backoff = fixed(10ms), jitter = none, budget = OWN) { attempt(takes = 50ms) }
        }
        struct Copied {
            hedge(after = 10ms, copies = 2, budget = OWN) { attempt(takes = 50ms) }
        }
    }
    let scope = Scope::new().within(ms(0));
    let tried = scope.clone().run(Tried::run(async |_| Err::<(), _>(Mute)));
    assert_eq!(tried.await, Err(Mute));
    let copied = scope.run(Copied::run(async |_| Err::<(), _>(Mute)));
    assert_eq!(copied.await, Err(Mute));
    let stats = OWN.stats();
    assert_eq!(
        (stats.requests, stats.failures, stats.retries, stats.hedges),
        (2, 2, 0, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_value_that_is_not_there_yet_counts_once_as_a_success() {
    static OWN: Budget = Budget::new(STRICT);
    let mut value = 0;
    let run = retry_policy!(
        attempts = 3,
        attempt = 50ms,
        backoff = none,
        budget = OWN,
        until = |value| *value == 3,
        async |_| {
            value += 1;
            Ok::<_, Oops>(value)
        }
    );
    assert_eq!(run.await, Ok(3));
    let stats = OWN.stats();
    assert_eq!((stats.requests, stats.retries, stats.successes), (1, 2, 3));
}
