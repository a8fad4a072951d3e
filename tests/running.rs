//! The running rules, each as a claim, on tokio's paused clock.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use retry_plan::{Budget, Failure, Scope, Stop, retry_policy};
use tokio::time::{Instant, sleep};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn error(kind: io::ErrorKind) -> io::Error {
    io::Error::from(kind)
}

/// What an attempt does: how long it takes, and what it comes to.
async fn takes<T>(millis: u64, result: io::Result<T>) -> io::Result<T> {
    sleep(ms(millis)).await;
    result
}

#[derive(Default)]
struct Calls(AtomicU32);

impl Calls {
    fn next(&self) -> u32 {
        self.0.fetch_add(1, SeqCst) + 1
    }

    fn made(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

fn failed<T: std::fmt::Debug>(result: Result<T, Failure<io::Error>>) -> Failure<io::Error> {
    result.expect_err("the run fails")
}

retry_policy! {
    struct Nested {
        timeout(2s) { retry(attempts = ..=3, backoff = fixed(100ms), jitter = none) {
            timeout(700ms) { retry(attempts = 2, backoff = fixed(100ms), jitter = none) { attempt(200ms) } }
        } }
    }
}

#[tokio::test(start_paused = true)]
async fn timed_out_attempts_are_retried_through_every_level_and_the_wait_is_exact() {
    let calls = Calls::default();
    let start = Instant::now();
    let told = failed(
        Nested::run_detailed(async |_| {
            calls.next();
            std::future::pending::<io::Result<()>>().await
        })
        .await,
    );
    // 200 + 100 + 200, a wait of 100, and so on: three rounds of 500 with two waits.
    assert_eq!(start.elapsed(), ms(1700));
    assert_eq!(calls.made(), 6);
    assert_eq!(
        (told.stop, told.attempts, told.elapsed),
        (Stop::Exhausted, 6, ms(1700))
    );
    assert!(told.last.is_none());
}

retry_policy! {
    struct Deadline {
        #[allow(cannot_fit, reason = "the refusal is what is tested")]
        deadline(1s) { retry(attempts = 3, backoff = fixed(300ms), jitter = none) { attempt(400ms) } }
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_does_not_sleep_into_a_limit_and_the_last_error_is_kept() {
    let start = Instant::now();
    let told = failed(
        Deadline::run_detailed(async |_| takes(340, Err::<(), _>(error(io::ErrorKind::BrokenPipe))).await)
            .await,
    );
    assert_eq!(told.stop, Stop::WontFit);
    assert_eq!(told.attempts, 2);
    assert_eq!(start.elapsed(), ms(980));
    assert_eq!(told.last.map(|last| last.kind()), Some(io::ErrorKind::BrokenPipe));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_cuts_the_running_attempt_and_is_not_retried() {
    let start = Instant::now();
    let run = Deadline::run_detailed(async |cx| {
        if cx.number() == 2 {
            std::future::pending::<()>().await;
        }
        takes(350, Err::<(), _>(error(io::ErrorKind::BrokenPipe))).await
    });
    let told = failed(Scope::new().within(ms(900)).run(run).await);
    assert_eq!((told.stop, start.elapsed()), (Stop::DeadlineExceeded, ms(900)));
    assert!(told.last.is_some(), "the first attempt's error is not lost");
}

retry_policy! { struct Exact { timeout(100ms) { attempt } } }

#[tokio::test(start_paused = true)]
async fn what_ends_exactly_at_a_limit_is_in_time() {
    assert_eq!(Exact::run(async |_| takes(100, Ok(1)).await).await.unwrap(), 1);
    assert_eq!(
        Exact::run_detailed(async |_| takes(101, Ok(1)).await)
            .await
            .unwrap_err()
            .stop,
        Stop::TimedOut
    );
}

#[tokio::test(start_paused = true)]
async fn an_expired_or_cancelled_scope_makes_no_call() {
    let calls = Calls::default();
    let run = || {
        Nested::run_detailed(async |_| {
            calls.next();
            takes(1, Ok(())).await
        })
    };
    let told = failed(Scope::new().until(Instant::now()).run(run()).await);
    assert_eq!((told.stop, told.attempts), (Stop::DeadlineExceeded, 0));
    let scope = Scope::new().cancellable();
    scope.cancel();
    let told = failed(scope.run(run()).await);
    assert_eq!((told.stop, calls.made()), (Stop::Cancelled, 0));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_scope_ends_a_wait_at_once_and_keeps_the_error() {
    let start = Instant::now();
    let run =
        Deadline::run_detailed(async |_| takes(100, Err::<(), _>(error(io::ErrorKind::BrokenPipe))).await);
    let told = failed(Scope::new().run_until(sleep(ms(150)), run).await);
    assert_eq!((told.stop, start.elapsed()), (Stop::Cancelled, ms(150)));
    assert!(told.last.is_some());
}

retry_policy! { struct Hedged { hedge(after = 80ms, copies = 3) { attempt(300ms) } } }

#[tokio::test(start_paused = true)]
async fn a_hedge_launches_by_time_and_the_first_success_wins() {
    let start = Instant::now();
    let won = Hedged::run(async |cx| {
        let copy = cx.copy();
        takes(if copy == 1 { 250 } else { 50 }, Ok::<_, io::Error>(copy)).await
    })
    .await;
    assert_eq!((won.unwrap(), start.elapsed()), (2, ms(130)));
}

#[tokio::test(start_paused = true)]
async fn a_failed_copy_brings_the_next_at_once_and_an_error_never_beats_a_success() {
    let start = Instant::now();
    let calls = Calls::default();
    let won = Hedged::run(async |cx| {
        calls.next();
        if cx.copy() == 2 {
            takes(10, Err(error(io::ErrorKind::Other))).await
        } else {
            takes(100, Ok(cx.copy())).await
        }
    })
    .await;
    assert_eq!((won.unwrap(), start.elapsed(), calls.made()), (1, ms(100), 3));
    let told = failed(
        Hedged::run_detailed(async |_| takes(5, Err::<(), _>(error(io::ErrorKind::Other))).await).await,
    );
    assert_eq!((told.attempts, told.elapsed), (3, ms(15)));
}

retry_policy! {
    struct Page {
        deadline(1s) { parallel {
            user: retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(200ms) },
            orders: hedge(after = 50ms, copies = 2) { attempt(300ms) },
        } }
    }
}

#[tokio::test(start_paused = true)]
async fn parallel_runs_together_and_brings_every_value() {
    let start = Instant::now();
    let PageOutput { user, orders } = Page::new()
        .user(async |cx| {
            if cx.number() == 1 {
                Err(error(io::ErrorKind::Other))
            } else {
                takes(100, Ok("user")).await
            }
        })
        .orders(async |_| takes(120, Ok(7)).await)
        .run()
        .await
        .unwrap();
    assert_eq!((user, orders, start.elapsed()), ("user", 7, ms(120)));
}

#[tokio::test(start_paused = true)]
async fn the_first_failure_of_a_parallel_cancels_the_rest() {
    let start = Instant::now();
    let told = failed(
        Page::new()
            .user(async |_| takes(20, Err::<(), _>(error(io::ErrorKind::NotFound))).await)
            .orders(async |_| takes(250, Ok(())).await)
            .run_detailed()
            .await,
    );
    assert_eq!(
        (start.elapsed(), told.last.map(|last| last.kind())),
        (ms(50), Some(io::ErrorKind::NotFound))
    );
}

#[tokio::test(start_paused = true)]
async fn a_fallback_goes_on_after_a_deadline_and_a_race_takes_the_first_success() {
    let start = Instant::now();
    let value = retry_policy! {
        type Error = io::Error;
        fallback {
            a: deadline(50ms) { attempt async |_| takes(500, Ok(1)).await },
            b: race {
                c: attempt(200ms) async |_| takes(10, Err(error(io::ErrorKind::Other))).await,
                d: attempt(200ms) async |_| takes(30, Ok(4)).await,
            },
        }
    }
    .await;
    assert_eq!((value.unwrap(), start.elapsed()), (4, ms(80)));
}

#[tokio::test(start_paused = true)]
async fn steps_see_earlier_steps_and_mutate_what_they_capture() {
    let mut log = Vec::new();
    let page = retry_policy! {
        type Error = io::Error;
        deadline(1s) { series {
            user: attempt(200ms) async |_| { log.push("user"); takes(10, Ok(20)).await },
            orders: retry(attempts = 2, backoff = none) { attempt(200ms) async |cx| {
                log.push("orders");
                if cx.number() == 1 { return Err(error(io::ErrorKind::Other)); }
                takes(10, Ok(user + 1)).await
            } },
        } }
    }
    .await
    .unwrap();
    assert_eq!((page.user, page.orders), (20, 21));
    assert_eq!(log, ["user", "orders", "orders"]);
}

#[tokio::test(start_paused = true)]
async fn until_waits_for_a_value_and_tells_no_error_when_it_never_comes() {
    let poll = async |there: u32| {
        let calls = Calls::default();
        retry_policy! {
            type Error = io::Error;
            retry(attempts = 3, backoff = fixed(10ms), jitter = none, until = |value| *value >= there) {
                attempt(100ms) async |_| Ok(calls.next())
            }
        }
        .await
    };
    assert_eq!(poll(3).await.unwrap(), 3);
    assert_eq!(poll(4).await.unwrap_err().kind(), io::ErrorKind::Other);
}

static KEY: Budget = Budget::unlimited();

retry_policy! {
    struct Allowed {
        #[allow(retry_budget_exceeded, reason = "the refusal is what is tested")]
        allowance(KEY = 1) {
            retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = KEY) { attempt(5ms) }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_allowance_refuses_what_goes_beyond_it_and_is_full_each_time() {
    for _ in 0..2 {
        let told = failed(Allowed::run_detailed(async |_| Err::<(), _>(error(io::ErrorKind::Other))).await);
        assert_eq!((told.stop, told.attempts), (Stop::BudgetRefused, 2));
    }
}

static SPENT: Budget = Budget::unlimited();

retry_policy! {
    // tokio's timers fire on whole milliseconds: a wait of 1.5 ms that begins on one ends half a millisecond late.
    struct Late {
        #[allow(no_attempt_timeout, reason = "the deadline inside is what it would miss")]
        retry(attempts = 3, backoff = fixed(1500us), jitter = none, budget = SPENT) {
            series { first: attempt(5ms), second: deadline(5ms) { attempt } }
        }
    }
    struct Tight {
        timeout(6ms) {
            retry(attempts = ..=2, backoff = fixed(1500us), jitter = none) { attempt(takes = 1500us..=3ms) }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_repeat_that_a_late_timer_leaves_too_little_time_is_refused_and_what_it_paid_comes_back() {
    let start = Instant::now();
    // Planned for 4.5 ms, in time for the deadline inside; at 5 ms it could only fail, and would take until 10 ms.
    let late = Late::new()
        .first(async |_| takes(3, Err::<(), _>(error(io::ErrorKind::BrokenPipe))).await)
        .second(async |_| Ok(()));
    let told = failed(late.run_detailed().await);
    assert_eq!(
        (told.stop, told.attempts, start.elapsed()),
        (Stop::WontFit, 1, ms(5))
    );
    assert_eq!(told.last.map(|last| last.kind()), Some(io::ErrorKind::BrokenPipe));
    let stats = SPENT.stats();
    assert_eq!((stats.retries, stats.given_back), (0, 1), "{stats:?}");

    let start = Instant::now();
    let told = failed(
        Tight::run_detailed(async |_| takes(3, Err::<(), _>(error(io::ErrorKind::BrokenPipe))).await).await,
    );
    assert_eq!(
        (told.stop, told.attempts, start.elapsed()),
        (Stop::WontFit, 1, ms(5))
    );
}

retry_policy! {
    struct Forever {
        #[allow(hot_loop, reason = "that others get their turn is what is tested")]
        #[allow(unbounded, reason = "the deadline ends it")]
        deadline(1s) { retry(attempts = unlimited, backoff = none) { attempt(takes = 1ms) } }
    }
}

#[tokio::test]
async fn unlimited_attempts_that_fail_at_once_see_their_deadline_and_let_others_run() {
    let calls = Calls::default();
    let other = tokio::spawn(async { tokio::task::yield_now().await });
    let run = Forever::run_detailed(async |_| {
        calls.next();
        Err::<(), _>(error(io::ErrorKind::Other))
    });
    let told = failed(Scope::new().within(ms(20)).run(run).await);
    assert!(other.is_finished());
    assert!(calls.made() > 64);
    assert!(
        matches!(told.stop, Stop::WontFit | Stop::DeadlineExceeded),
        "{:?}",
        told.stop
    );
    assert!(told.elapsed < ms(500));
}

retry_policy! {
    struct Caller {
        #[allow(cannot_fit, reason = "the refusal is what is tested")]
        timeout(300ms) { call(Deadline) }
    }
}

#[tokio::test(start_paused = true)]
async fn a_called_policy_inherits_the_earlier_limit_and_refuses_by_it() {
    let start = Instant::now();
    let told = failed(
        Caller::run_detailed(async |_| {
            Deadline::run(async |_| takes(100, Err::<(), _>(error(io::ErrorKind::BrokenPipe))).await).await
        })
        .await,
    );
    // A wait of 300 ms doesn't fit into what is left, so the callee fails at once with its own error.
    assert_eq!(start.elapsed(), ms(100));
    assert_eq!(told.last.map(|last| last.kind()), Some(io::ErrorKind::BrokenPipe));
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_hint_lengthens_the_wait_and_one_that_does_not_fit_stops() {
    for (hint, elapsed, stop) in [(250, 250, None), (5000, 0, Some(Stop::WontFit))] {
        let start = Instant::now();
        let calls = Calls::default();
        let result: io::Result<u32> = retry_policy! {
            type Error = io::Error;
            deadline(2s) {
                retry(attempts = 2, backoff = fixed(10ms), jitter = none, retry_after = |_| ms(hint), retry_after_max = 1s) {
                    attempt(100ms) async |_| match calls.next() {
                        1 => Err(error(io::ErrorKind::ConnectionRefused)),
                        call => Ok(call),
                    }
                }
            }
        }
        .await;
        assert_eq!(result.is_err(), stop.is_some());
        assert_eq!(start.elapsed(), ms(elapsed));
    }
}

#[tokio::test]
async fn a_busy_operation_that_spends_the_whole_coop_budget_is_still_cut() {
    let start = std::time::Instant::now();
    let told = Exact::run_detailed(async |_| {
        let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
        while start.elapsed() < ms(2000) {
            sender.send(()).expect("the receiver is here");
            receiver.recv().await;
        }
        Ok::<(), io::Error>(())
    })
    .await;
    assert_eq!(told.expect_err("it is cut").stop, Stop::TimedOut);
}
