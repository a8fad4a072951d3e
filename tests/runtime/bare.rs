//! Runs of policies that have no limits of their own: what is around them holds all the same.

use retry_plan::{Budget, Scope, Stop, retry_policy};
use tokio::time::sleep;

use crate::only_woken::OnlyWoken;
use crate::script::{HANGS, Oops, Script, err, ms, ok};

static PAID: Budget = Budget::ratio(0.1, 100);

retry_policy! {
    #[allow(unbounded, reason = "it has no limits of its own")]
    struct Bare {
        retry(attempts = 3, backoff = fixed(100ms), jitter = none) { attempt }
    }
    #[allow(unbounded, reason = "it has no limits of its own")]
    struct Paid {
        retry(attempts = 3, backoff = fixed(100ms), jitter = none, budget = PAID) { attempt }
    }
    #[allow(unbounded, reason = "it has no limits of its own")]
    struct AtOnce {
        retry(attempts = 3, backoff = none) { attempt }
    }
    #[allow(unbounded, reason = "it has no limits of its own")]
    struct Tight {
        retry(attempts = 2, backoff = fixed(1500us), jitter = none) { attempt(takes = 5ms..=6ms) }
    }
    #[allow(unbounded, reason = "it has no limits of its own")]
    struct Steps {
        series { one: retry(attempts = 2, backoff = fixed(100ms), jitter = none) { attempt }, two: attempt }
    }
}

#[tokio::test(start_paused = true)]
async fn the_callers_deadline_ends_an_attempt_with_the_last_error() {
    for (script, last) in [([HANGS, HANGS], None), ([err(10, 1), HANGS], Some(Oops::Boom(1)))] {
        let op = Script::new(script);
        let run = Bare::run_detailed(async |_| op.call().await);
        let failure = Scope::new().within(ms(250)).run(run).await.unwrap_err();
        assert_eq!(
            (failure.stop, failure.last, failure.elapsed),
            (Stop::DeadlineExceeded, last, ms(250))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_a_policy_around_ends_it_too_and_is_told_to_the_operation() {
    retry_policy! {
        struct Outer {
            deadline(250ms) { attempt }
        }
    }
    let op = Script::new([HANGS]);
    let run = Outer::run_detailed(async |_| {
        Bare::run_detailed(async |cx| {
            assert_eq!(cx.remaining(), Some(ms(250)));
            op.call().await
        })
        .await
        .map_err(|failure| (failure.stop, failure.elapsed))
    });
    assert_eq!(
        run.await.unwrap_err().last,
        Some((Stop::DeadlineExceeded, ms(250)))
    );
}

#[tokio::test(start_paused = true)]
async fn in_a_combinator_of_its_own_it_is_woken_for_the_deadline() {
    let op = Script::new([HANGS]);
    let run = Bare::run_detailed(async |_| op.call().await);
    let failure = Scope::new()
        .within(ms(40))
        .run(OnlyWoken::new(run))
        .await
        .unwrap_err();
    assert_eq!((failure.stop, failure.elapsed), (Stop::DeadlineExceeded, ms(40)));
}

#[tokio::test(start_paused = true)]
async fn a_repeat_that_does_not_fit_is_not_waited_for() {
    let op = Script::new([err(10, 1), ok(0, 2)]);
    let run = Bare::run_detailed(async |_| op.call().await);
    let failure = Scope::new().within(ms(100)).run(run).await.unwrap_err();
    assert_eq!((failure.stop, failure.elapsed), (Stop::WontFit, ms(10)));
    assert_eq!(op.starts(), [0]);
}

#[tokio::test(start_paused = true)]
async fn where_the_deadline_has_passed_nothing_starts_and_nothing_is_paid() {
    let before = PAID.stats().requests;
    let op = Script::new([ok(0, 1)]);
    let past = || Scope::new().within(ms(0));
    let failures = [
        past().run(Bare::run_detailed(async |_| op.call().await)).await,
        past().run(Paid::run_detailed(async |_| op.call().await)).await,
        past().run(AtOnce::run_detailed(async |_| op.call().await)).await,
    ];
    for failure in failures {
        let failure = failure.unwrap_err();
        assert_eq!((failure.stop, failure.attempts), (Stop::DeadlineExceeded, 0));
    }
    assert!(op.starts().is_empty());
    assert_eq!(PAID.stats().requests, before);
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_ends_its_wait_at_once_and_starts_nothing_more() {
    let op = Script::new([err(10, 1), ok(0, 2)]);
    let run = Paid::run_detailed(async |_| op.call().await);
    let given_back = PAID.stats().given_back;
    let failure = Scope::new().run_until(sleep(ms(60)), run).await.unwrap_err();
    assert_eq!((failure.stop, failure.elapsed), (Stop::Cancelled, ms(60)));
    assert_eq!(PAID.stats().given_back, given_back + 1);
    // Where nothing is waited for, the next attempt isn't started either.
    let scope = Scope::new().cancellable();
    let cancel = scope.clone();
    let run = AtOnce::run_detailed(async |_| {
        cancel.cancel();
        Err::<u32, _>(Oops::Boom(3))
    });
    let failure = scope.run(run).await.unwrap_err();
    assert_eq!((failure.stop, failure.attempts), (Stop::Cancelled, 1));
}

#[tokio::test(start_paused = true)]
async fn an_error_that_cannot_tell_of_an_interruption_waits_for_the_first_error() {
    // `u32` is made of no `Interrupted`: the deadline counts from the first error on.
    let op = Script::new([err(300, 1), HANGS]);
    let run = Bare::run(async |_| op.call().await.map_err(|_| 7_u32));
    let started = tokio::time::Instant::now();
    assert_eq!(Scope::new().within(ms(200)).run(run).await, Err(7));
    assert_eq!((started.elapsed(), op.starts().len()), (ms(300), 1));
}

#[tokio::test(start_paused = true)]
async fn steps_count_and_time_goes_on_from_one_to_the_next() {
    let one = Script::new([err(10, 1), ok(20, 2)]);
    let two = Script::new([err(30, 3)]);
    let failure = Steps::new()
        .one(async |_| one.call().await)
        .two(async |_| two.call().await)
        .run_detailed()
        .await
        .unwrap_err();
    assert_eq!(
        (failure.last, failure.attempts, failure.elapsed),
        (Some(Oops::Boom(3)), 3, ms(10 + 100 + 20 + 30))
    );
}

#[tokio::test(start_paused = true)]
async fn a_repeat_that_a_late_timer_leaves_too_little_time_is_refused() {
    // At 1.5 ms it would fit; tokio's timer fires at 2 ms.
    let late = Scope::new().within(ms(6) + ms(1) / 2);
    let op = Script::new([err(0, 1), ok(5, 2)]);
    let run = late.run(Tight::run_detailed(async |_| op.call().await));
    let failure = run.await.unwrap_err();
    assert_eq!((failure.stop, failure.elapsed), (Stop::WontFit, ms(2)));
    assert_eq!(op.starts(), [0]);
    // In time it starts, with a deadline around and without one.
    for scope in [Scope::new().within(ms(7)), Scope::new()] {
        let op = Script::new([err(0, 1), ok(5, 2)]);
        let run = scope.run(Tight::run_detailed(async |_| op.call().await));
        assert_eq!(run.await.unwrap(), 2);
        assert_eq!(op.starts(), [0, 2]);
    }
}
