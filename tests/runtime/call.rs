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
