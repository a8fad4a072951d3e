//! `when`, `on_retry`, `interrupted`: sync, fallible and async, and none of them changes what it must not.

use std::sync::Mutex;

use retry_plan::{Stop, retry_policy};

use crate::script::{Oops, Script, err, fails, ms, ok};

#[tokio::test(start_paused = true)]
async fn when_may_be_async_and_what_it_takes_is_part_of_the_wait() {
    let op = Script::new([err(1, 1), fails(1, Oops::Fatal), ok(1, 3)]);
    let run = retry_policy!(
        attempts = 3,
        attempt = 100ms,
        backoff = fixed(10ms),
        jitter = none,
        when = async |error: &Oops| {
            tokio::time::sleep(ms(5)).await;
            error.is_transient()
        },
        async |_| op.call().await
    );
    assert_eq!(run.await, Err(Oops::Fatal));
    assert_eq!(op.starts(), [0, 11]);
}

#[tokio::test(start_paused = true)]
async fn a_predicate_that_fails_declines_and_the_operations_own_error_is_returned() {
    let op = Script::new([err(1, 1), ok(1, 2)]);
    let run = retry_policy!(
        attempts = 3,
        attempt = 100ms,
        backoff = fixed(10ms),
        jitter = none,
        when = |_: &Oops| Err::<bool, _>("the predicate itself failed"),
        async |_| op.call().await
    );
    assert_eq!(run.await, Err(Oops::Boom(1)));
    assert_eq!(op.calls(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_async_predicate_that_fails_declines_too() {
    let op = Script::new([err(1, 1), ok(1, 2)]);
    let run = retry_policy!(
        attempts = 3,
        attempt = 100ms,
        backoff = fixed(10ms),
        jitter = none,
        when = async |_: &Oops| {
            tokio::time::sleep(ms(5)).await;
            Err::<bool, _>("the predicate itself failed")
        },
        async |_| op.call().await
    );
    assert_eq!(run.await, Err(Oops::Boom(1)));
    assert_eq!((op.calls(), op.now()), (1, 6));
}

#[tokio::test(start_paused = true)]
async fn on_retry_changes_neither_outcome_nor_attempts_nor_waits() {
    let seen = Mutex::new(0);
    let mut stories = Vec::new();
    for steps in [
        vec![err(1, 1), ok(1, 2)],
        vec![err(1, 1)],
        vec![fails(1, Oops::Fatal)],
    ] {
        let (told, untold, later) = (
            Script::new(steps.clone()),
            Script::new(steps.clone()),
            Script::new(steps),
        );
        let bare = retry_policy!(
            attempts = 3,
            attempt = 100ms,
            backoff = fixed(10ms),
            jitter = none,
            when = Oops::is_transient,
            async |_| untold.call().await
        );
        let bare = bare.await;
        let sync = retry_policy!(
            attempts = 3,
            attempt = 100ms,
            backoff = fixed(10ms),
            jitter = none,
            when = Oops::is_transient,
            on_retry = |_| *seen.lock().unwrap() += 1,
            async |_| told.call().await
        );
        assert_eq!(sync.await, bare);
        let asynchronous = retry_policy!(
            attempts = 3,
            attempt = 100ms,
            backoff = fixed(10ms),
            jitter = none,
            when = Oops::is_transient,
            on_retry = async |_| *seen.lock().unwrap() += 1,
            async |_| later.call().await
        );
        assert_eq!(asynchronous.await, bare);
        let waits = |script: &Script| {
            script
                .starts()
                .windows(2)
                .map(|pair| pair[1] - pair[0])
                .collect::<Vec<_>>()
        };
        assert_eq!(waits(&told), waits(&untold));
        assert_eq!(waits(&later), waits(&untold));
        stories.push(untold.calls());
    }
    assert_eq!((stories, *seen.lock().unwrap()), (vec![2, 3, 1], 6));
}

#[tokio::test(start_paused = true)]
async fn on_retry_is_told_the_attempt_the_error_and_the_wait_and_only_when_there_is_a_retry() {
    let op = Script::new([err(1, 1), err(1, 2), err(1, 3)]);
    let mut told = Vec::new();
    let run = retry_policy!(
        attempts = 3,
        attempt = 100ms,
        backoff = linear(10ms, max = 1s),
        jitter = none,
        on_retry = |retry| told.push((retry.attempt(), retry.error().cloned(), retry.wait())),
        async |_| op.call().await
    );
    assert_eq!(run.await, Err(Oops::Boom(3)));
    assert_eq!(
        told,
        [(1, Some(Oops::Boom(1)), ms(10)), (2, Some(Oops::Boom(2)), ms(20))]
    );
}

#[tokio::test(start_paused = true)]
async fn on_retry_may_be_async_and_borrow() {
    let op = Script::new([err(1, 1), ok(1, 2)]);
    let log = Mutex::new(Vec::new());
    let run = retry_policy!(
        attempts = 2,
        attempt = 100ms,
        backoff = fixed(10ms),
        jitter = none,
        on_retry = async |retry| {
            tokio::task::yield_now().await;
            log.lock().unwrap().push(retry.attempt());
        },
        async |_| op.call().await
    );
    assert_eq!(run.await, Ok(2));
    assert_eq!(*log.lock().unwrap(), [1]);
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_hangs_is_cut_by_the_limit_and_the_error_is_kept() {
    let op = Script::new([err(1, 1)]);
    let run = retry_policy!(
        attempts = ..=2,
        attempt = 50ms,
        deadline = 100ms,
        backoff = fixed(10ms),
        jitter = none,
        on_retry = async |_| std::future::pending::<()>().await,
        async |_| op.call().await
    );
    assert_eq!(run.await, Err(Oops::Boom(1)));
    assert_eq!(op.now(), 100);
}

#[tokio::test(start_paused = true)]
async fn an_error_of_someone_else_is_made_by_interrupted() {
    #[derive(Debug, PartialEq)]
    struct Foreign(Stop);
    retry_policy! {
        struct Hung {
            type Error = Foreign;
            interrupted = |told| Foreign(told.stop);
            timeout(10ms) { attempt }
        }
    }
    let run = Hung::run(async |_| std::future::pending::<Result<(), Foreign>>().await);
    assert_eq!(run.await, Err(Foreign(Stop::TimedOut)));
}

fn judged(error: &Oops) -> Result<bool, std::fmt::Error> {
    match error {
        Oops::Boom(which) => Ok(*which == 1),
        _ => Err(std::fmt::Error),
    }
}

#[tokio::test(start_paused = true)]
async fn what_judges_an_error_may_fail_itself_and_then_there_is_no_further_attempt() {
    retry_policy! {
        struct Judged {
            type Error = Oops;
            timeout(1s) { retry(attempts = 3, backoff = none, when = judged) { attempt(100ms) } }
        }
    }
    for last in [err(1, 2), fails(1, Oops::Fatal)] {
        let op = Script::new([err(1, 1), last]);
        let failure = Judged::run_detailed(async |_| op.call().await).await.unwrap_err();
        assert_eq!((failure.stop, failure.attempts), (Stop::NotRetryable, 2));
    }
}
