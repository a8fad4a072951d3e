//! Attempts and elapsed are right in every stop.

use retry_plan::{Budget, Failure, Scope, Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, fails, ms};

static EMPTY: Budget = Budget::ratio(0.0, 0);

retry_policy! {
    struct Plain {
        type Error = Oops;
        deadline(1s) {
            retry(attempts = ..=3, backoff = fixed(100ms), jitter = none, when = Oops::is_transient) { attempt(400ms) }
        }
    }
    struct Broke {
        retry(attempts = 3, backoff = fixed(100ms), jitter = none, budget = EMPTY) { attempt(400ms) }
    }
    struct Bounded {
        timeout(100ms) { attempt }
    }
}

fn told(failure: &Failure<Oops>) -> (Stop, u32, u64) {
    (
        failure.stop,
        failure.attempts,
        u64::try_from(failure.elapsed.as_millis()).unwrap(),
    )
}

#[tokio::test(start_paused = true)]
async fn exhausted() {
    let op = Script::new([err(50, 1)]);
    let failure = Plain::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(told(&failure), (Stop::Exhausted, 3, 350));
}

#[tokio::test(start_paused = true)]
async fn not_retryable() {
    let op = Script::new([err(50, 1), fails(7, Oops::Fatal)]);
    let failure = Plain::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(told(&failure), (Stop::NotRetryable, 2, 157));
}

#[tokio::test(start_paused = true)]
async fn budget_refused() {
    let op = Script::new([err(50, 1)]);
    let failure = Broke::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(told(&failure), (Stop::BudgetRefused, 1, 50));
    assert_eq!(failure.last, Some(Oops::Boom(1)));
}

#[tokio::test(start_paused = true)]
async fn wont_fit() {
    let op = Script::new([HANGS, HANGS, err(0, 1)]);
    let failure = Plain::run_detailed(async |_| op.call().await).await.unwrap_err();
    // 0 to 400, 500 to 900; the next would start exactly at the deadline.
    assert_eq!(told(&failure), (Stop::WontFit, 2, 900));
}

#[tokio::test(start_paused = true)]
async fn timed_out() {
    let op = Script::new([HANGS]);
    let failure = Bounded::run_detailed(async |_| op.call().await)
        .await
        .unwrap_err();
    assert_eq!(told(&failure), (Stop::TimedOut, 1, 100));
}

#[tokio::test(start_paused = true)]
async fn deadline_exceeded() {
    let op = Script::new([err(300, 1), err(300, 2), HANGS]);
    let failure = Plain::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(told(&failure), (Stop::DeadlineExceeded, 3, 1000));
    assert_eq!(failure.last, Some(Oops::Boom(2)));
}

#[tokio::test(start_paused = true)]
async fn cancelled() {
    let op = Script::new([err(50, 1)]);
    let scope = Scope::new().cancellable();
    let canceller = scope.clone();
    let run = tokio::join!(scope.run(Plain::run_detailed(async |_| op.call().await)), async {
        tokio::time::sleep(ms(80)).await;
        canceller.cancel();
    });
    let failure = run.0.unwrap_err();
    assert_eq!(told(&failure), (Stop::Cancelled, 1, 80));
    assert_eq!(failure.last, Some(Oops::Boom(1)));
}

#[tokio::test(start_paused = true)]
async fn without_any_wait_no_clock_is_read_and_elapsed_is_zero() {
    let failure = Plain::run_detailed(async |_| Err::<(), _>(Oops::Fatal))
        .await
        .unwrap_err();
    assert_eq!(told(&failure), (Stop::NotRetryable, 1, 0));
}
