//! The operation's own time counts: a limit is over the whole, never over the waits alone.

use retry_plan::{Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, ms, ok};

retry_policy! {
    struct Second {
        deadline(1s) { retry(attempts = ..=100, backoff = fixed(10ms), jitter = none) { attempt(900ms) } }
    }
}

#[tokio::test(start_paused = true)]
async fn slow_failures_use_the_deadline_up() {
    let op = Script::new([err(400, 1)]);
    let failure = Second::run_detailed(async |_| op.call().await).await.unwrap_err();
    // 0, 410, 820; cut at 1000.
    assert_eq!((op.calls(), op.now()), (3, 1000));
    assert_eq!(
        (failure.stop, failure.last),
        (Stop::DeadlineExceeded, Some(Oops::Boom(1)))
    );
}

#[tokio::test(start_paused = true)]
async fn the_clock_starts_with_the_run_and_not_when_it_is_made() {
    let op = Script::new([err(400, 1), ok(400, 2)]);
    let run = Second::run(async |_| op.call().await);
    tokio::time::sleep(ms(5_000)).await;
    assert_eq!(run.await, Ok(2));
}

#[tokio::test(start_paused = true)]
async fn a_second_run_has_a_second_deadline() {
    for _ in 0..3 {
        let op = Script::new([err(600, 1), ok(390, 2)]);
        assert_eq!(Second::run(async |_| op.call().await).await, Ok(2));
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_virtual_time_that_counts_and_never_the_wall_clock() {
    let op = Script::new([HANGS]);
    let wall = std::time::Instant::now();
    retry_policy! {
        struct Day {
            deadline(24h) { retry(attempts = ..=30, backoff = fixed(1min), jitter = none) { attempt(1h) } }
        }
    }
    let failure = Day::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(op.calls(), 24);
    assert_eq!(failure.elapsed, ms(24 * 3_600_000));
    assert!(wall.elapsed() < ms(5_000));
}

#[tokio::test(start_paused = true)]
async fn no_attempt_starts_that_could_only_miss_the_deadline_inside_it() {
    retry_policy! {
        #[allow(unreachable, cannot_fit, reason = "it is what is tested")]
        struct Inside {
            retry(attempts = 3, backoff = fixed(4ms), jitter = none) { deadline(10ms) { attempt(8ms) } }
        }
    }
    let op = Script::new([err(8, 1)]);
    let failure = Inside::run_detailed(async |_| op.call().await).await.unwrap_err();
    // The second would start at 12.
    assert_eq!((op.calls(), op.now()), (1, 8));
    assert_eq!((failure.stop, failure.last), (Stop::WontFit, Some(Oops::Boom(1))));
    assert!(Some(failure.elapsed) <= Inside::PLAN.worst());
}

#[tokio::test(start_paused = true)]
async fn no_copy_starts_that_could_only_miss_the_deadline_inside_it() {
    retry_policy! {
        #[allow(unreachable, cannot_fit, reason = "it is what is tested")]
        struct Inside {
            hedge(after = 6ms, copies = 2) { deadline(10ms) { attempt(takes = 5ms..=20ms) } }
        }
    }
    let op = Script::new([HANGS]);
    let failure = Inside::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((op.calls(), op.now()), (1, 10));
    assert_eq!(failure.stop, Stop::DeadlineExceeded);
}
