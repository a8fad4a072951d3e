//! Limits cut what they enclose, and no retry sleeps into one.

use std::future::Future;
use std::io;
use std::task::{Context, Poll, Waker};

use retry_plan::{Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, ms, ok};

#[tokio::test(start_paused = true)]
async fn a_retry_never_sleeps_into_a_limit() {
    retry_policy! {
        struct Fits {
            timeout(1s) { retry(attempts = ..=3, backoff = fixed(600ms), jitter = none) { attempt(300ms) } }
        }
    }
    let op = Script::new([err(10, 1), err(10, 2)]);
    let failure = Fits::run_detailed(async |_| op.call().await).await.unwrap_err();
    // The third attempt would have started at 1220.
    assert_eq!((op.starts(), op.now()), (vec![0, 610], 620));
    assert_eq!((failure.stop, failure.last), (Stop::WontFit, Some(Oops::Boom(2))));
    assert_eq!(failure.elapsed, ms(620));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_whose_fastest_success_would_be_late_is_not_started() {
    retry_policy! {
        struct Slow {
            timeout(100ms) { retry(attempts = ..=3, backoff = fixed(10ms), jitter = none) { attempt(takes = 40ms..=80ms) } }
        }
    }
    let op = Script::new([err(51, 1)]);
    let failure = Slow::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((op.calls(), failure.stop), (1, Stop::WontFit), "61 + 40 > 100");

    let op = Script::new([err(50, 1), ok(40, 2)]);
    assert_eq!(
        Slow::run(async |_| op.call().await).await,
        Ok(2),
        "60 + 40 ends exactly at the limit"
    );
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_cuts_an_attempt_still_gives_the_last_error() {
    retry_policy! {
        struct Cut {
            timeout(100ms) { retry(attempts = ..=3, backoff = fixed(10ms), jitter = none) { attempt(80ms) } }
        }
    }
    let op = Script::new([err(30, 1), HANGS]);
    let failure = Cut::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(
        (failure.stop, failure.last, failure.attempts, failure.elapsed),
        (Stop::TimedOut, Some(Oops::Boom(1)), 2, ms(100))
    );
    assert_eq!(op.ends(), [30, 100]);
}

#[tokio::test(start_paused = true)]
async fn a_limit_without_any_error_tells_that_it_interrupted() {
    retry_policy! {
        struct Hung {
            deadline(100ms) { attempt }
        }
    }
    let op = Script::new([HANGS]);
    let Err(Oops::Interrupted(told)) = Hung::run(async |_| op.call().await).await else {
        panic!("interrupted")
    };
    assert_eq!(
        (told.stop, told.attempts, told.elapsed),
        (Stop::DeadlineExceeded, 1, ms(100))
    );
}

#[tokio::test(start_paused = true)]
async fn a_timeout_counts_from_its_own_start_and_a_deadline_from_the_runs() {
    retry_policy! {
        struct Clocks {
            series {
                first: attempt(50ms),
                second: timeout(30ms) { attempt },
                third: deadline(100ms) { attempt },
            }
        }
    }
    let (first, hangs) = (Script::new([ok(40, 1)]), Script::new([HANGS]));
    let _ = Clocks::new()
        .first(async |_| first.call().await)
        .second(async |_| hangs.call().await)
        .third(async |_| hangs.call().await)
        .run()
        .await;
    assert_eq!((hangs.starts(), hangs.ends()), (vec![40], vec![70]));

    let (first, second, third) = (
        Script::new([ok(40, 1)]),
        Script::new([ok(20, 1)]),
        Script::new([HANGS]),
    );
    let failure = Clocks::new()
        .first(async |_| first.call().await)
        .second(async |_| second.call().await)
        .third(async |_| third.call().await)
        .run_detailed()
        .await
        .unwrap_err();
    assert_eq!((third.starts(), third.ends()), (vec![60], vec![100]));
    assert_eq!(failure.stop, Stop::DeadlineExceeded);
}

#[tokio::test(start_paused = true)]
async fn a_passed_deadline_keeps_what_it_encloses_from_starting() {
    retry_policy! {
        struct Late {
            #[allow(unreachable, cannot_fit, reason = "that it may come late is the point")]
            series {
                first: attempt(50ms),
                second: deadline(30ms) { attempt },
            }
        }
    }
    let (first, second) = (Script::new([ok(30, 1)]), Script::new([ok(0, 2)]));
    let failure = Late::new()
        .first(async |_| first.call().await)
        .second(async |_| second.call().await)
        .run_detailed()
        .await
        .unwrap_err();
    assert_eq!(
        (failure.stop, failure.attempts, second.calls()),
        (Stop::DeadlineExceeded, 1, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_every_retry_around_it_for_it_would_pass_again() {
    retry_policy! {
        struct Inside {
            retry(attempts = 3, backoff = fixed(4ms), jitter = none) { deadline(100ms) { attempt } }
        }
    }
    let op = Script::new([HANGS]);
    let failure = Inside::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(
        (op.calls(), failure.stop, failure.elapsed),
        (1, Stop::DeadlineExceeded, ms(100))
    );
}

#[tokio::test(start_paused = true)]
async fn at_one_instant_the_attempts_own_end_counts_before_its_limit() {
    retry_policy! {
        struct Exact {
            timeout(100ms) { attempt }
        }
    }
    let op = Script::new([ok(100, 1)]);
    assert_eq!(Exact::run(async |_| op.call().await).await, Ok(1));
    let op = Script::new([err(100, 1)]);
    assert_eq!(Exact::run(async |_| op.call().await).await, Err(Oops::Boom(1)));
}

#[tokio::test(start_paused = true)]
async fn at_one_instant_the_innermost_limit_counts_first() {
    retry_policy! {
        struct Tie {
            fallback {
                #[allow(cannot_fit, reason = "that both limits pass at one instant is the point")]
                hung: timeout(50ms) { fallback { inner: timeout(50ms) { attempt }, next: attempt(takes = ..=1ms) } },
                other: attempt(10ms),
            }
        }
    }
    let (hung, next, other) = (
        Script::new([HANGS]),
        Script::new([ok(0, 1)]),
        Script::new([ok(0, 2)]),
    );
    let value = Tie::new()
        .inner(async |_| hung.call().await)
        .next(async |_| next.call().await)
        .other(async |_| other.call().await)
        .run()
        .await;
    // The inner timeout fires; at that instant the outer one has passed too, so that `next` can't start.
    assert_eq!((value, next.calls()), (Ok(2), 0));
}

#[tokio::test(start_paused = true)]
async fn remaining_is_the_whole_limit_before_the_first_wait_and_exact_afterwards() {
    retry_policy! {
        struct Told {
            deadline(1s) { retry(attempts = ..=3, backoff = fixed(100ms), jitter = none) { attempt(700ms) } }
        }
    }
    let mut told = Vec::new();
    let op = Script::new([err(50, 1), err(50, 2), ok(0, 3)]);
    let value = retry_policy!(Told, async |cx| {
        told.push(cx.remaining().unwrap());
        let ended = op.call().await;
        told.push(cx.remaining().unwrap());
        ended
    })
    .await;
    assert_eq!(value, Ok(3));
    // 0 and 50; 150 and 200; 300 and 300.
    assert_eq!(told, [ms(700), ms(650), ms(700), ms(650), ms(700), ms(700)]);
}

#[test]
fn a_named_policy_in_place_whose_attempts_answer_at_once_reads_no_clock_and_sets_no_timer() {
    retry_policy! {
        struct AtOnce {
            deadline(2s) { retry(attempts = 3, backoff = none) { attempt(500ms) } }
        }
    }

    let mut calls = Vec::new();
    // Without a runtime, a timer would panic.
    let ended = std::pin::pin!(retry_policy!(AtOnce, async |cx| {
        calls.push(cx.remaining());
        if calls.len() < 3 {
            Err(io::Error::from(io::ErrorKind::TimedOut))
        } else {
            Ok(calls.len())
        }
    }))
    .poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(ended, Poll::Ready(Ok(3))), "{ended:?}");
    assert_eq!(calls, [Some(ms(500)); 3], "the clock hasn't started");
}

#[tokio::test(start_paused = true)]
async fn a_named_policy_in_place_drops_an_attempt_that_is_cut_off_and_makes_the_next_at_once() {
    retry_policy! {
        struct Twice {
            deadline(2s) { retry(attempts = 2, backoff = none) { attempt(500ms) } }
        }
    }
    let op = Script::new([HANGS, ok(10, 7)]);
    let value = retry_policy!(Twice, async |_| op.call().await).await;
    assert_eq!(value, Ok(7));
    assert_eq!((op.starts(), op.now()), (vec![0, 500], 510));
}
