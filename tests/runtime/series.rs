//! `series`: one after another; stops at the first failure.

use retry_plan::retry_policy;

use crate::script::{Oops, Script, err, ok};

retry_policy! {
    struct Steps {
        deadline(1s) { series {
            first: attempt(200ms),
            second: retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(100ms) },
        } }
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_starts_when_the_one_before_has_succeeded() {
    let (first, second) = (Script::new([ok(50, 1)]), Script::new([err(10, 0), ok(20, 2)]));
    let output = Steps::new()
        .first(async |_| first.call().await)
        .second(async |_| second.call().await)
        .run()
        .await
        .unwrap();
    assert_eq!((output.first, output.second), (1, 2));
    assert_eq!((first.starts(), second.starts()), (vec![0], vec![50, 70]));
    assert_eq!(first.now(), 90);
}

#[tokio::test(start_paused = true)]
async fn the_first_failure_ends_it_and_later_steps_never_start() {
    let (first, second) = (Script::new([err(50, 1)]), Script::new([ok(1, 2)]));
    let failure = Steps::new()
        .first(async |_| first.call().await)
        .second(async |_| second.call().await)
        .run_detailed()
        .await
        .unwrap_err();
    assert_eq!(failure.last, Some(Oops::Boom(1)));
    assert_eq!((second.calls(), failure.attempts), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn in_place_each_step_sees_the_earlier_ones() {
    let (first, second) = (Script::new([ok(5, 20)]), Script::new([ok(5, 1)]));
    let output = retry_policy! {
        type Error = Oops;
        deadline(1s) { series {
            user: attempt(200ms) async |_| first.call().await,
            orders: retry(attempts = 2, backoff = fixed(10ms), jitter = none) {
                attempt(200ms) async |_| Ok(second.call().await? + user)
            },
        } }
    }
    .await
    .unwrap();
    assert_eq!(output.orders, 21);
}
