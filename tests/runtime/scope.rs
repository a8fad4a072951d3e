//! What a caller's scope imposes on the runs inside it.

use std::pin::pin;

use retry_plan::{Budget, Scope, Stop, carry, retry_policy};
use tokio::time::{Duration, Instant, sleep};

use crate::only_woken::OnlyWoken;
use crate::script::{HANGS, Oops, Script, err, ms, ok};

static PAID: Budget = Budget::ratio(0.1, 100);

retry_policy! {
    struct Inner {
        deadline(1s) {
            retry(attempts = ..=5, backoff = fixed(100ms), jitter = none, budget = PAID) { attempt(500ms) }
        }
    }
    struct Limitless {
        retry(attempts = 3, backoff = fixed(100ms), jitter = none) { attempt(500ms) }
    }
}

#[tokio::test(start_paused = true)]
async fn the_earlier_deadline_wins() {
    for (outer, end) in [(300, 300), (5_000, 500)] {
        let op = Script::new([HANGS]);
        let run = Scope::new()
            .within(ms(outer))
            .run(Inner::run_detailed(async |cx| {
                if cx.number() == 1 {
                    assert_eq!(cx.deadline(), Some(Instant::now() + ms(end)));
                }
                op.call().await
            }));
        let failure = run.await.unwrap_err();
        assert_eq!(op.ends()[0], end);
        if outer == 300 {
            assert_eq!((failure.stop, failure.attempts), (Stop::DeadlineExceeded, 1));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_policy_without_a_limit_of_its_own_obeys_the_callers_deadline() {
    let op = Script::new([err(10, 1), HANGS]);
    let run = Scope::new()
        .within(ms(200))
        .run(Limitless::run_detailed(async |_| op.call().await));
    let failure = run.await.unwrap_err();
    assert_eq!(
        (failure.stop, failure.last, failure.elapsed),
        (Stop::DeadlineExceeded, Some(Oops::Boom(1)), ms(200))
    );
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_does_not_fit_the_callers_deadline_is_not_waited_for() {
    let op = Script::new([err(10, 1)]);
    let run = Scope::new()
        .within(ms(100))
        .run(Limitless::run_detailed(async |_| op.call().await));
    let failure = run.await.unwrap_err();
    assert_eq!((failure.stop, op.now()), (Stop::WontFit, 10));
}

#[tokio::test(start_paused = true)]
async fn a_run_inside_an_attempt_inherits_that_attempts_limit_with_nothing_said() {
    retry_policy! {
        struct Outer {
            timeout(1s) { retry(attempts = ..=2, backoff = none) { attempt(150ms) } }
        }
    }
    let op = Script::new([HANGS]);
    let failure = Outer::run_detailed(async |_| {
        let inner = Limitless::run_detailed(async |_| op.call().await).await;
        // The inner run ends by itself, at the instant at which it would have been cut.
        let failure = inner.unwrap_err();
        assert_eq!(failure.stop, Stop::DeadlineExceeded);
        Err::<(), _>(Oops::Boom(7))
    })
    .await
    .unwrap_err();
    assert_eq!(failure.attempts, 2);
    assert_eq!(op.ends(), [150, 300]);
}

#[tokio::test(start_paused = true)]
async fn the_scope_is_visible_inside_with_the_policys_own_limits() {
    let seen = Scope::new().within(ms(400)).run(Inner::run(async |cx| {
        assert_eq!(Scope::current().deadline(), cx.deadline());
        Ok::<_, Oops>(Scope::current().remaining())
    }));
    assert_eq!(seen.await.unwrap(), Some(ms(400)));
    assert_eq!(Scope::current().deadline(), None);
}

#[tokio::test(start_paused = true)]
async fn an_expired_scope_makes_no_call_and_funds_nothing() {
    static OWN: Budget = Budget::ratio(0.5, 10);
    retry_policy! {
        struct Funded {
            retry(attempts = 3, backoff = fixed(100ms), jitter = none, budget = OWN) { attempt(500ms) }
        }
    }
    let op = Script::new([ok(0, 1)]);
    for passed in [Duration::ZERO, ms(5)] {
        let scope = Scope::new().until(Instant::now());
        sleep(passed).await;
        let failure = scope
            .run(Funded::run_detailed(async |_| op.call().await))
            .await
            .unwrap_err();
        assert_eq!((failure.stop, failure.attempts), (Stop::DeadlineExceeded, 0));
    }
    assert_eq!(op.calls(), 0);
    assert_eq!(OWN.stats().requests, 0);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_scope_makes_no_call_and_funds_nothing() {
    static OWN: Budget = Budget::ratio(0.5, 10);
    retry_policy! {
        struct Funded {
            retry(attempts = 3, backoff = fixed(100ms), jitter = none, budget = OWN) { attempt(500ms) }
        }
    }
    let op = Script::new([ok(0, 1)]);
    let scope = Scope::new().cancellable();
    scope.cancel();
    let failure = scope
        .run(Funded::run_detailed(async |_| op.call().await))
        .await
        .unwrap_err();
    assert_eq!(
        (failure.stop, failure.attempts, op.calls()),
        (Stop::Cancelled, 0, 0)
    );
    assert_eq!(OWN.stats().requests, 0);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_ends_at_once_and_its_charge_comes_back() {
    static OWN: Budget = Budget::ratio(0.0, 10);
    retry_policy! {
        struct Waiting {
            retry(attempts = 3, backoff = fixed(1h), jitter = none, budget = OWN) { attempt(500ms) }
        }
    }
    let op = Script::new([err(10, 1)]);
    let scope = Scope::new().cancellable();
    let canceller = scope.clone();
    let (ended, ()) = tokio::join!(
        scope.run(Waiting::run_detailed(async |_| op.call().await)),
        async {
            sleep(ms(50)).await;
            assert_eq!(OWN.affordable(), 9, "the charge is taken when the wait begins");
            canceller.cancel();
        }
    );
    let failure = ended.unwrap_err();
    assert_eq!(
        (failure.stop, failure.last, failure.elapsed),
        (Stop::Cancelled, Some(Oops::Boom(1)), ms(50))
    );
    assert_eq!((OWN.affordable(), OWN.stats().given_back), (10, 1));
}

#[tokio::test(start_paused = true)]
async fn a_running_attempt_is_left_to_end_and_none_follows_it() {
    let op = Script::new([err(100, 1), ok(1, 2)]);
    let scope = Scope::new().cancellable();
    let canceller = scope.clone();
    let (ended, ()) = tokio::join!(
        scope.run(Limitless::run_detailed(async |_| op.call().await)),
        async {
            sleep(ms(50)).await;
            canceller.cancel();
        }
    );
    let failure = ended.unwrap_err();
    assert_eq!(
        (failure.stop, failure.last),
        (Stop::Cancelled, Some(Oops::Boom(1)))
    );
    assert_eq!((op.calls(), op.ends()), (1, vec![100]));
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_cancels_its_own_scope_is_not_repeated() {
    let scope = Scope::new().cancellable();
    let canceller = scope.clone();
    let failure = scope
        .run(Limitless::run_detailed(async |_| {
            canceller.cancel();
            Err::<(), _>(Oops::Boom(1))
        }))
        .await
        .unwrap_err();
    assert_eq!((failure.stop, failure.attempts), (Stop::Cancelled, 1));
}

#[tokio::test(start_paused = true)]
async fn any_future_cancels() {
    let op = Script::new([err(10, 1)]);
    let run = Scope::new().run_until(sleep(ms(60)), Limitless::run_detailed(async |_| op.call().await));
    let failure = run.await.unwrap_err();
    assert_eq!((failure.stop, failure.elapsed), (Stop::Cancelled, ms(60)));
}

#[tokio::test(start_paused = true)]
async fn a_scope_is_carried_into_spawned_tasks() {
    let op = Script::new([HANGS]);
    let failure = Scope::new()
        .within(ms(70))
        .run(async {
            let bare = tokio::spawn(async { Scope::current().deadline() });
            assert_eq!(bare.await.unwrap(), None);
            let run = carry(Limitless::run_detailed(async |_| op.call().await));
            run.await
        })
        .await
        .unwrap_err();
    assert_eq!((failure.stop, failure.elapsed), (Stop::DeadlineExceeded, ms(70)));
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_polled_by_a_combinator_of_its_own_hears_of_the_cancellation() {
    let op = Script::new([err(10, 1)]);
    let scope = Scope::new().cancellable();
    let canceller = scope.clone();
    let run = Limitless::run_detailed(async |_| op.call().await);
    let (ended, ()) = tokio::join!(scope.run(OnlyWoken::new(run)), async {
        sleep(ms(50)).await;
        canceller.cancel();
    });
    assert_eq!(ended.unwrap_err().elapsed, ms(50));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_inherited_by_a_run_in_a_combinator_of_its_own_ends_it() {
    let op = Script::new([HANGS]);
    let run = Scope::new().within(ms(40)).run(async {
        let mut joined = tokio::task::JoinSet::new();
        joined.spawn(carry(async {
            Limitless::run_detailed(async |_| std::future::pending::<Result<u32, Oops>>().await).await
        }));
        let other = pin!(Limitless::run_detailed(async |_| op.call().await));
        let (one, two) = tokio::join!(joined.join_next(), other);
        (one.unwrap().unwrap(), two)
    });
    let (one, two) = run.await;
    assert_eq!(one.unwrap_err().elapsed, ms(40));
    assert_eq!(two.unwrap_err().elapsed, ms(40));
}

#[tokio::test(start_paused = true)]
async fn deadlines_at_the_ends_of_time_neither_panic_nor_cut() {
    let far = Instant::now() + Duration::from_secs(86_400 * 365 * 400);
    for scope in [
        Scope::new().within(Duration::MAX),
        Scope::new().within(Duration::from_secs(u64::MAX / 2)),
        Scope::new().until(far),
    ] {
        let op = Script::new([err(10, 1), ok(10, 2)]);
        let run = scope.run(Limitless::run(async |_| op.call().await));
        assert_eq!(run.await, Ok(2));
    }
    retry_policy! {
        struct Forever {
            deadline(200000h) { timeout(100000h) { attempt(50000h) } }
        }
    }
    let op = Script::new([ok(10, 1)]);
    assert_eq!(Forever::run(async |_| op.call().await).await, Ok(1));
}

#[tokio::test(start_paused = true)]
async fn waits_and_limits_beyond_the_reach_of_tokios_timers_end_when_they_should() {
    // Tokio's wheel holds two years and two months.
    const YEAR: u64 = 8_760 * 3_600_000;
    retry_policy! {
        struct Decades {
            deadline(438000h) { retry(attempts = 2, backoff = fixed(87600h), jitter = none) { attempt(43800h) } }
        }
    }
    let op = Script::new([err(1, 1), ok(1, 2)]);
    assert_eq!(Decades::run(async |_| op.call().await).await, Ok(2));
    assert_eq!(op.starts(), [0, 10 * YEAR + 1]);

    let op = Script::new([HANGS, ok(1, 2)]);
    assert_eq!(Decades::run(async |_| op.call().await).await, Ok(2));
    assert_eq!(op.starts(), [0, 15 * YEAR]);

    let op = Script::new([HANGS]);
    let scope = Scope::new().within(Duration::from_millis(3 * YEAR));
    let failure = scope
        .run(Decades::run_detailed(async |_| op.call().await))
        .await
        .unwrap_err();
    assert_eq!((failure.stop, op.now()), (Stop::DeadlineExceeded, 3 * YEAR));
}

#[tokio::test(start_paused = true)]
async fn a_policys_own_limit_still_holds_in_a_scope_that_never_ends() {
    retry_policy! {
        struct Short {
            timeout(50ms) { attempt }
        }
    }
    let op = Script::new([HANGS]);
    let run = Scope::new()
        .within(Duration::MAX)
        .run(Short::run_detailed(async |_| op.call().await));
    assert_eq!(run.await.unwrap_err().elapsed, ms(50));
}

#[tokio::test(start_paused = true)]
async fn dropping_the_future_cancels_at_once_at_any_point() {
    let op = Script::new([HANGS]);
    {
        let run = pin!(Limitless::run(async |_| op.call().await));
        let _ = tokio::time::timeout(ms(5), run).await;
    }
    assert_eq!((op.calls(), op.out()), (1, 0));
}
