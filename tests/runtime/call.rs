//! `call`: a leaf whose operation runs another policy, under what is around it.

use retry_plan::{Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, ms, ok};

retry_policy! {
    struct Callee {
        deadline(100ms) { retry(attempts = ..=3, backoff = fixed(10ms), jitter = none) { attempt(60ms) } }
    }
    struct Caller {
        timeout(220ms) { retry(attempts = ..=3, backoff = fixed(20ms), jitter = none) { call(Callee) } }
    }
    struct Transient {
        type Error = Oops;
        timeout(220ms) {
            retry(attempts = ..=3, backoff = fixed(20ms), jitter = none, when = Oops::is_transient) { call(Callee) }
        }
    }
    struct Resigned {
        type Error = Oops;
        timeout(220ms) {
            retry(attempts = ..=3, backoff = fixed(20ms), jitter = none, timeouts = stop, when = Oops::is_transient) {
                call(Callee)
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_called_policy_has_a_clock_of_its_own_each_time() {
    let op = Script::new([HANGS]);
    let mut told = Vec::new();
    let failure = retry_policy!(Caller, async |_| {
        let ended = Callee::run_detailed(async |_| op.call().await).await;
        let failure = ended.unwrap_err();
        told.push((failure.stop, failure.elapsed));
        Err::<(), _>(failure.into_error())
    })
    .await;
    // 0 to 100, 120 to 220; the third would start at the limit.
    assert_eq!(
        told,
        [
            (Stop::DeadlineExceeded, ms(100)),
            (Stop::DeadlineExceeded, ms(100))
        ]
    );
    assert!(failure.is_err());
    assert_eq!(op.starts(), [0, 70, 120, 190]);
}

#[tokio::test(start_paused = true)]
async fn the_caller_s_earlier_limit_ends_the_called_run() {
    retry_policy! {
        struct Hurried {
            #[allow(cannot_fit, reason = "that the caller gives up earlier is the point")]
            timeout(50ms) { call(Callee) }
        }
    }
    let op = Script::new([err(1, 1), HANGS]);
    let failure = Hurried::run_detailed(async |_| Callee::run(async |_| op.call().await).await)
        .await
        .unwrap_err();
    assert_eq!(op.ends(), [1, 50]);
    assert_eq!(
        failure.last,
        Some(Oops::Boom(1)),
        "the inner run still tells its last error"
    );
}

#[tokio::test(start_paused = true)]
async fn a_called_policys_passed_deadline_is_an_error_that_the_caller_may_retry() {
    let op = Script::new([HANGS, HANGS, ok(1, 3)]);
    let value = Caller::run(async |_| Callee::run(async |_| op.call().await).await).await;
    assert_eq!(value, Ok(3));
    assert_eq!(op.starts(), [0, 70, 120]);
}

#[tokio::test(start_paused = true)]
async fn a_called_policys_passed_deadline_is_a_timeout_to_its_caller_whatever_error_it_becomes() {
    // As an error it would be worth another attempt.
    let op = Script::new([HANGS]);
    let called = async || {
        let ended = Callee::run(async |_| op.call().await).await;
        ended.map_err(|_| Oops::Boom(9))
    };
    let failure = Resigned::run_detailed(async |_| called().await)
        .await
        .unwrap_err();
    assert_eq!((failure.attempts, failure.last), (1, Some(Oops::Boom(9))));
    assert_eq!((failure.stop, failure.elapsed), (Stop::NotRetryable, ms(100)));

    // In place, where run and operation take turns.
    let failure = retry_policy!(Resigned, async |_| called().await).await;
    assert_eq!(failure, Err(Oops::Boom(9)));
    assert_eq!(op.starts(), [0, 70, 100, 170]);

    // `when` looks at errors, and isn't asked about a timeout.
    let op = Script::new([HANGS, HANGS, ok(1, 3)]);
    let value = Transient::run(async |_| {
        let ended = Callee::run(async |_| op.call().await).await;
        ended.map_err(|_| Oops::Fatal)
    });
    assert_eq!(value.await, Ok(3));
}

#[tokio::test(start_paused = true)]
async fn what_a_called_policy_fails_with_in_time_is_an_error_like_any_other() {
    let op = Script::new([err(1, 1), err(1, 2), err(1, 3), ok(1, 4)]);
    let value = Resigned::run(async |_| Callee::run(async |_| op.call().await).await).await;
    assert_eq!(value, Ok(4));
    // A run that was cut off before, whose end nobody asked for.
    let before = Script::new([HANGS]);
    let fails = Script::new([err(1, 1)]);
    let failure = Resigned::run_detailed(async |_| {
        let _late = Callee::run(async |_| before.call().await).await;
        fails.call().await
    });
    assert_eq!(failure.await.unwrap_err().stop, Stop::TimedOut);
}
