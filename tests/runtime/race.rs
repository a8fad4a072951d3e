//! `race`: together; the first success wins.

use std::pin::pin;

use retry_plan::retry_policy;

use crate::script::{HANGS, Oops, Script, err, ok};

retry_policy! {
    struct Mirrors {
        timeout(1s) { race {
            near: attempt(200ms),
            far: attempt(300ms),
        } }
    }
}

macro_rules! race {
    ($near:expr, $far:expr) => {
        Mirrors::new()
            .near(async |_| $near.call().await)
            .far(async |_| $far.call().await)
    };
}

#[tokio::test(start_paused = true)]
async fn the_first_success_wins_and_the_losers_are_dropped_before_it_is_returned() {
    let (near, far) = (Script::new([HANGS]), Script::new([ok(40, 2)]));
    let mut run = pin!(race!(near, far).run());
    assert_eq!(run.as_mut().await, Ok(2));
    assert_eq!((near.out(), near.ends()), (0, vec![40]));
}

#[tokio::test(start_paused = true)]
async fn an_error_never_beats_a_pending_success() {
    let (near, far) = (Script::new([err(1, 1)]), Script::new([ok(200, 2)]));
    assert_eq!(race!(near, far).run().await, Ok(2));
}

#[tokio::test(start_paused = true)]
async fn it_fails_with_the_error_of_the_last_to_fail() {
    let (near, far) = (Script::new([err(30, 1)]), Script::new([err(20, 2)]));
    assert_eq!(race!(near, far).run().await, Err(Oops::Boom(1)));
    assert_eq!(near.now(), 30);
}

#[tokio::test(start_paused = true)]
async fn a_sibling_after_the_one_that_decides_is_not_polled_at_that_instant() {
    let (near, far) = (Script::new([ok(0, 1)]), Script::new([ok(0, 2)]));
    assert_eq!(race!(near, far).run().await, Ok(1));
    assert_eq!(far.calls(), 0);
}
