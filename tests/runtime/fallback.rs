//! `fallback`: the next one when one fails, until one succeeds.

use retry_plan::{Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, ok};

retry_policy! {
    struct Stale {
        timeout(1s) { fallback {
            fresh: retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(100ms) },
            cached: attempt(50ms),
        } }
    }
}

macro_rules! stale {
    ($fresh:expr, $cached:expr) => {
        Stale::new()
            .fresh(async |_| $fresh.call().await)
            .cached(async |_| $cached.call().await)
    };
}

#[tokio::test(start_paused = true)]
async fn the_next_branch_starts_when_one_has_failed_for_good() {
    let (fresh, cached) = (Script::new([err(5, 1), err(5, 2)]), Script::new([ok(1, 3)]));
    assert_eq!(stale!(fresh, cached).run().await, Ok(3));
    assert_eq!((fresh.starts(), cached.starts()), (vec![0, 15], vec![20]));
}

#[tokio::test(start_paused = true)]
async fn a_success_keeps_the_later_branches_from_starting() {
    let (fresh, cached) = (Script::new([ok(5, 1)]), Script::new([ok(1, 3)]));
    assert_eq!(stale!(fresh, cached).run().await, Ok(1));
    assert_eq!(cached.calls(), 0);
}

#[tokio::test(start_paused = true)]
async fn when_all_fail_the_last_error_is_returned() {
    let (fresh, cached) = (Script::new([HANGS]), Script::new([err(5, 9)]));
    let failure = stale!(fresh, cached).run_detailed().await.unwrap_err();
    assert_eq!(failure.last, Some(Oops::Boom(9)));
    assert_eq!(failure.attempts, 3);
    assert_eq!(cached.starts(), [210]);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_inside_lets_it_go_on() {
    retry_policy! {
        struct Hasty {
            fallback {
                fresh: deadline(20ms) { retry(attempts = ..=5, backoff = fixed(5ms), jitter = none) { attempt(15ms) } },
                cached: attempt(50ms),
            }
        }
    }
    let (fresh, cached) = (Script::new([err(1, 1), HANGS]), Script::new([ok(1, 3)]));
    let value = Hasty::new()
        .fresh(async |_| fresh.call().await)
        .cached(async |_| cached.call().await)
        .run()
        .await;
    assert_eq!(value, Ok(3));
    assert_eq!(cached.starts(), [20]);
}

#[tokio::test(start_paused = true)]
async fn a_branch_that_is_cut_off_leaves_the_earlier_branchs_error_as_the_last() {
    retry_policy! {
        struct Tight {
            timeout(100ms) { fallback { fresh: attempt(80ms), cached: attempt(20ms) } }
        }
    }
    let (fresh, cached) = (Script::new([err(79, 1)]), Script::new([HANGS]));
    let failure = Tight::new()
        .fresh(async |_| fresh.call().await)
        .cached(async |_| cached.call().await)
        .run_detailed()
        .await
        .unwrap_err();
    assert_eq!(
        (failure.stop, failure.last),
        (Stop::TimedOut, Some(Oops::Boom(1)))
    );
    assert_eq!(cached.ends(), [99]);
}
