//! `parallel`: all together; the first failure cancels the rest.

use std::pin::pin;

use retry_plan::{Attempt, Budget, Scope, retry_policy};

use crate::script::{HANGS, Oops, Script, err, ms, ok};

retry_policy! {
    struct Both {
        deadline(1s) { parallel {
            left: attempt(200ms),
            right: retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(100ms) },
        } }
    }
}

#[tokio::test(start_paused = true)]
async fn branches_run_together_and_each_gives_its_own_value() {
    let (left, right) = (Script::new([ok(50, 1)]), Script::new([err(10, 0), ok(20, 2)]));
    let BothOutput {
        left: one,
        right: two,
    } = Both::new()
        .left(async |_| left.call().await)
        .right(async |_| right.call().await.map(|value| value.to_string()))
        .run()
        .await
        .unwrap();
    assert_eq!((one, two.as_str()), (1, "2"));
    assert_eq!(left.now(), 50);
    assert_eq!(right.starts(), [0, 20]);
}

#[tokio::test(start_paused = true)]
async fn the_first_failure_cancels_the_rest_before_it_is_returned() {
    let (left, right) = (Script::new([err(5, 1)]), Script::new([HANGS]));
    let mut run = pin!(
        Both::new()
            .left(async |_| left.call().await)
            .right(async |_| right.call().await)
            .run()
    );
    assert_eq!(run.as_mut().await.err(), Some(Oops::Boom(1)));
    assert_eq!((left.now(), right.out()), (5, 0));
}

#[tokio::test(start_paused = true)]
async fn of_two_that_fail_at_one_instant_the_first_in_order_is_reported() {
    retry_policy! {
        struct Pair {
            parallel { left: attempt(200ms), right: attempt(200ms) }
        }
    }
    let (left, right) = (Script::new([err(7, 1)]), Script::new([err(7, 2)]));
    let error = Pair::new()
        .left(async |_| left.call().await)
        .right(async |_| right.call().await)
        .run()
        .await
        .unwrap_err();
    assert_eq!(error, Oops::Boom(1));
}

#[tokio::test(start_paused = true)]
async fn siblings_share_one_budget() {
    static SHARED: Budget = Budget::ratio(0.0, 1);
    retry_policy! {
        struct Siblings {
            parallel {
                left: retry(attempts = 3, backoff = fixed(10ms), jitter = none, budget = SHARED) { attempt(100ms) },
                right: retry(attempts = 3, backoff = fixed(10ms), jitter = none, budget = SHARED) { attempt(100ms) },
            }
        }
    }
    let (left, right) = (
        Script::new([err(1, 1), ok(1, 1)]),
        Script::new([err(2, 2), ok(1, 2)]),
    );
    let error = Siblings::new()
        .left(async |_| left.call().await)
        .right(async |_| right.call().await)
        .run()
        .await
        .unwrap_err();
    // The left one was there first.
    assert_eq!(error, Oops::Boom(2));
    assert_eq!((left.calls(), right.calls()), (1, 1));
    assert_eq!(
        SHARED.affordable(),
        1,
        "its retry never started, and is given back"
    );
}

#[tokio::test(start_paused = true)]
async fn each_branch_is_told_its_own_limit_and_what_runs_in_it_inherits_that() {
    retry_policy! {
        struct Unequal {
            timeout(300ms) { parallel { short: attempt(100ms), long: attempt(200ms) } }
        }
    }
    let told = |cx: Attempt| (cx.remaining(), Scope::current().remaining());
    let values = Unequal::new()
        .short(async |cx| Ok::<_, Oops>(told(cx)))
        .long(async |cx| {
            tokio::time::sleep(ms(50)).await;
            Ok(told(cx))
        })
        .run()
        .await
        .unwrap();
    assert_eq!(values.short, (Some(ms(100)), Some(ms(100))));
    assert_eq!(values.long, (Some(ms(150)), Some(ms(150))));
}

#[tokio::test(start_paused = true)]
async fn without_limits_and_an_error_that_tells_of_interruptions_a_cancelled_scope_waits_for_an_error() {
    retry_policy! {
        #[allow(unbounded, reason = "it has no limits of its own")]
        struct Open {
            parallel { one: attempt, other: attempt }
        }
    }
    let scope = Scope::new().cancellable();
    scope.cancel();
    let run = Open::new()
        .one(async |_| Ok::<_, u32>(1))
        .other(async |_| Ok::<_, u32>(2))
        .run();
    let values = scope.run(run).await.unwrap();
    assert_eq!((values.one, values.other), (1, 2));
}
