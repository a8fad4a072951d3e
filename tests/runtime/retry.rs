//! `retry`: again on error, as many times as written, with the waits as written.

use retry_plan::{Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, fails, ms, ok};

retry_policy! {
    struct Three {
        retry(attempts = 3, backoff = fixed(10ms), jitter = none) { attempt(100ms) }
    }

    struct Choosy {
        type Error = Oops;
        retry(attempts = 3, backoff = fixed(10ms), jitter = none, when = Oops::is_transient) { attempt(100ms) }
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_count_every_try_the_first_included() {
    let op = Script::new([err(1, 1), err(1, 2), err(1, 3)]);
    let failure = Three::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(op.starts(), [0, 11, 22]);
    assert_eq!(
        (failure.stop, failure.last, failure.attempts, failure.elapsed),
        (Stop::Exhausted, Some(Oops::Boom(3)), 3, ms(23))
    );
}

#[tokio::test(start_paused = true)]
async fn a_success_ends_it_at_once() {
    let op = Script::new([err(1, 1), ok(1, 2)]);
    assert_eq!(Three::run(async |_| op.call().await).await, Ok(2));
    assert_eq!((op.starts(), op.now()), (vec![0, 11], 12));
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_attempt_is_retried() {
    let op = Script::new([HANGS, ok(1, 2)]);
    assert_eq!(Three::run(async |_| op.call().await).await, Ok(2));
    assert_eq!((op.starts(), op.ends()), (vec![0, 110], vec![100, 111]));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_ends_exactly_at_its_bound_is_in_time() {
    let op = Script::new([ok(100, 1)]);
    assert_eq!(Three::run(async |_| op.call().await).await, Ok(1));
    assert_eq!(op.calls(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_inner_timeout_is_retried_outside() {
    retry_policy! {
        struct Nested {
            retry(attempts = 2, backoff = none) {
                timeout(50ms) { retry(attempts = ..=9, backoff = fixed(10ms), jitter = none) { attempt(30ms) } }
            }
        }
    }
    let op = Script::new([HANGS, HANGS, ok(1, 3)]);
    assert_eq!(Nested::run(async |_| op.call().await).await, Ok(3));
    // Cut by its own bound at 30, by the timeout at 50.
    assert_eq!(op.starts(), [0, 40, 50]);
}

#[tokio::test(start_paused = true)]
async fn timeouts_stop_ends_it_on_a_timed_out_attempt_only() {
    retry_policy! {
        struct Impatient {
            retry(attempts = 3, backoff = fixed(10ms), jitter = none, timeouts = stop) { attempt(100ms) }
        }
    }
    let op = Script::new([err(1, 1), HANGS]);
    let failure = Impatient::run_detailed(async |_| op.call().await)
        .await
        .unwrap_err();
    assert_eq!(
        (failure.stop, failure.last),
        (Stop::NotRetryable, Some(Oops::Boom(1)))
    );
    assert_eq!(op.calls(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_error_that_when_declines_is_returned_unchanged_at_once() {
    let op = Script::new([err(1, 1), fails(1, Oops::Fatal)]);
    let failure = Choosy::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(
        (failure.stop, failure.last, failure.attempts),
        (Stop::NotRetryable, Some(Oops::Fatal), 2)
    );
    assert_eq!(op.now(), 12);
}

#[tokio::test(start_paused = true)]
async fn when_does_not_see_timed_out_attempts_which_are_retried() {
    let op = Script::new([HANGS, ok(1, 2)]);
    assert_eq!(Choosy::run(async |_| op.call().await).await, Ok(2));
}

#[tokio::test(start_paused = true)]
async fn each_attempt_knows_its_number_and_whether_it_is_the_last() {
    let op = Script::new([err(1, 1)]);
    let mut told = Vec::new();
    let _ = retry_policy!(Three, async |cx| {
        told.push((cx.number(), cx.of(), cx.is_last()));
        op.call().await
    })
    .await;
    assert_eq!(
        told,
        [(1, Some(3), false), (2, Some(3), false), (3, Some(3), true)]
    );
}

#[tokio::test(start_paused = true)]
async fn unlimited_attempts_that_fail_at_once_leave_other_tasks_their_turn() {
    retry_policy! {
        struct Endless {
            #[allow(hot_loop, reason = "that it stays fair is the point")]
            timeout(1s) { retry(attempts = unlimited, backoff = none) { attempt(100ms) } }
        }
    }
    let other = tokio::spawn(async {
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    });
    let mut calls = 0_u32;
    let value = retry_policy!(Endless, async |cx| {
        calls += 1;
        assert_eq!(cx.of(), None);
        if other.is_finished() {
            Ok(calls)
        } else {
            Err(Oops::Boom(calls))
        }
    })
    .await
    .unwrap();
    assert!(value < 1_000, "{value}");
}

#[tokio::test(start_paused = true)]
async fn until_repeats_while_the_value_is_not_there_yet() {
    macro_rules! poll {
        ($op:expr) => {
            retry_policy!(
                attempts = 3,
                attempt = 100ms,
                backoff = fixed(10ms),
                jitter = none,
                until = |value: &u32| *value > 1,
                async |_| $op.call().await
            )
        };
    }
    let op = Script::new([ok(1, 0), ok(1, 1), ok(1, 2)]);
    assert_eq!(poll!(op).await, Ok(2));

    let never = Script::new([err(1, 7), ok(1, 0)]);
    let Err(Oops::Interrupted(told)) = poll!(never).await else {
        panic!("it was never there")
    };
    assert_eq!((told.stop, told.attempts), (Stop::Exhausted, 3));
}

#[tokio::test(start_paused = true)]
async fn every_backoff_waits_what_it_says() {
    macro_rules! starts {
        ($($backoff:tt)*) => {{
            retry_policy! {
                #[allow(no_cap, reason = "a cap would hide what grows")]
                struct Backoff {
                    retry(attempts = 5, backoff = $($backoff)*, jitter = none) { attempt(100ms) }
                }
            }
            let op = Script::new([err(0, 1)]);
            let _ = Backoff::run(async |_| op.call().await).await;
            op.starts()
        }};
    }
    assert_eq!(starts!(fixed(7ms)), [0, 7, 14, 21, 28]);
    assert_eq!(starts!(linear(5ms, max = 12ms)), [0, 5, 15, 27, 39]);
    assert_eq!(
        starts!(exponential(10ms, factor = 3, max = 50ms)),
        [0, 10, 40, 90, 140]
    );
    assert_eq!(starts!(schedule(1ms, 20ms, ..)), [0, 1, 21, 41, 61]);
    assert_eq!(starts!(schedule(1ms, 20ms, 3ms, 4ms)), [0, 1, 21, 24, 28]);
}
