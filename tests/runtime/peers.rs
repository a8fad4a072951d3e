//! Faults of other libraries, each pinned at the right value; the letters and numbers are those of the list of them.

use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use retry_plan::{Budget, Failure, Scope, SingleLeaf, Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, fails, ms, ok};

/// B 19: a total time that counts the sleeps only let a slow operation run for forty seconds.
#[tokio::test(start_paused = true)]
async fn b19_a_total_of_one_second_is_one_second_also_for_a_ten_second_operation() {
    retry_policy! {
        struct Total {
            deadline(1s) { retry(attempts = ..=4, backoff = fixed(100ms), jitter = none) { attempt(800ms) } }
        }
    }
    let op = Script::new([err(10_000, 1)]);
    let failure = Total::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((op.now(), failure.stop), (1000, Stop::DeadlineExceeded));
}

/// B 20, 32: a hundred retries of one second each ran for 101 seconds; a sleep that would overrun is skipped.
#[tokio::test(start_paused = true)]
async fn b20_a_hundred_slow_retries_end_with_the_deadline() {
    retry_policy! {
        struct Hundred {
            deadline(30s) { retry(attempts = ..=100, backoff = fixed(10ms), jitter = none) { attempt(2s) } }
        }
    }
    let op = Script::new([err(1_000, 1)]);
    let failure = Hundred::run_detailed(async |_| op.call().await)
        .await
        .unwrap_err();
    assert_eq!((op.now(), failure.stop), (30_000, Stop::DeadlineExceeded));
    assert_eq!(op.calls(), 30);
}

/// B 21: a limit on the wall clock never ended under a paused one.
#[tokio::test(start_paused = true)]
async fn b21_a_limit_is_on_tokios_clock_and_starts_with_the_first_attempt() {
    retry_policy! {
        struct Short {
            deadline(3s) { retry(attempts = unlimited, backoff = fixed(1s), jitter = none) { attempt(500ms) } }
        }
    }
    let op = Script::new([err(1, 1)]);
    let run = Short::run_detailed(async |_| op.call().await);
    tokio::time::advance(Duration::from_secs(60)).await;
    let began = op.now();
    let failure = run.await.unwrap_err();
    assert_eq!((failure.stop, failure.attempts), (Stop::WontFit, 3));
    assert_eq!(op.now() - began, 2_003);
}

/// B 22: the time of a long-lived success counted against the next retry; here each run has its own clock.
#[tokio::test(start_paused = true)]
async fn b22_a_long_success_does_not_use_up_the_next_runs_time() {
    retry_policy! {
        struct Connect {
            deadline(1s) { retry(attempts = ..=3, backoff = fixed(100ms), jitter = none) { attempt(500ms) } }
        }
    }
    for _ in 0..2 {
        let op = Script::new([err(1, 1), ok(1, 2)]);
        assert_eq!(Connect::run(async |_| op.call().await).await, Ok(2));
        tokio::time::advance(Duration::from_secs(3600)).await;
    }
}

/// B 24, 29: a wait of thirty seconds was slept into a limit of 200 ms, and the error was lost.
#[tokio::test(start_paused = true)]
async fn b24_a_wait_beyond_the_limit_is_not_begun_and_the_error_is_returned() {
    retry_policy! {
        struct Long {
            deadline(200ms) { retry(attempts = ..=2, backoff = fixed(30s), jitter = none) { attempt(100ms) } }
        }
    }
    let op = Script::new([err(0, 1)]);
    let failure = Long::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(
        (op.now(), failure.stop, failure.last),
        (0, Stop::WontFit, Some(Oops::Boom(1)))
    );
}

/// B 26: the start and the longest duration were added up, and the sum panicked.
#[tokio::test(start_paused = true)]
async fn b26_the_longest_of_all_limits_is_no_limit_and_no_panic() {
    retry_policy! {
        struct Longest {
            deadline(5000000h) { retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(100ms) } }
        }
    }
    for scope in [Scope::new(), Scope::new().within(Duration::MAX)] {
        let op = Script::new([err(1, 1), ok(1, 2)]);
        assert_eq!(scope.run(Longest::run(async |_| op.call().await)).await, Ok(2));
    }
}

/// B 27: a timeout that clamped the last sleep started one attempt at the deadline.
#[tokio::test(start_paused = true)]
async fn b27_no_attempt_starts_at_or_after_the_deadline() {
    retry_policy! {
        struct Edge {
            deadline(100ms) { retry(attempts = ..=2, backoff = fixed(90ms), jitter = none) { attempt(100ms) } }
        }
    }
    let op = Script::new([err(10, 1)]);
    let failure = Edge::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((op.calls(), failure.stop), (1, Stop::WontFit));
    let op = Script::new([err(9, 1), HANGS]);
    let _ = Edge::run(async |_| op.call().await).await;
    assert_eq!(op.starts(), [0, 99]);
}

/// B 28: a policy with a total time could not be used in a middleware, which needs to know when the task began.
#[tokio::test(start_paused = true)]
async fn b28_generic_code_runs_a_policy_with_a_total_time_from_each_requests_own_start() {
    retry_policy! {
        struct Total {
            deadline(1s) { retry(attempts = ..=3, backoff = fixed(100ms), jitter = none) { attempt(400ms) } }
        }
    }
    async fn middleware<P: SingleLeaf<u32, Oops>>(op: &Script) -> Result<u32, Failure<Oops>> {
        P::run_single(|_| op.call()).await
    }
    for _ in 0..2 {
        let op = Script::new([HANGS]);
        let failure = middleware::<Total>(&op).await.unwrap_err();
        assert_eq!((failure.stop, op.starts()), (Stop::WontFit, vec![0, 500]));
        tokio::time::advance(Duration::from_secs(60)).await;
    }
}

/// B 34, 35: attempts and retries were confused, and nested counts multiplied by one too many.
#[tokio::test(start_paused = true)]
async fn b35_three_attempts_nested_in_two_are_six_calls() {
    retry_policy! {
        struct Nested {
            retry(attempts = 2, backoff = none) { retry(attempts = 3, backoff = none) { attempt(10ms) } }
        }
    }
    let op = Script::new([err(0, 1)]);
    let failure = Nested::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((op.calls(), failure.attempts), (6, 6));
}

/// B 29: a timeout around a retry was slept into, and the caller got it in place of the last outcome.
#[tokio::test(start_paused = true)]
async fn b29_no_attempt_that_cannot_fit_is_started_and_the_last_outcome_is_told() {
    retry_policy! {
        struct Outer {
            timeout(1s) { retry(attempts = ..=3, backoff = fixed(600ms), jitter = none) { attempt(takes = 300ms..=400ms) } }
        }
    }
    let op = Script::new([err(300, 1)]);
    let failure = Outer::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((failure.stop, failure.last), (Stop::WontFit, Some(Oops::Boom(1))));
    assert_eq!((op.calls(), op.now()), (1, 300));
}

/// B 30: a bound for each attempt as long as the limit around all of them left one attempt of three.
#[tokio::test(start_paused = true)]
async fn b30_a_limit_as_long_as_one_attempt_is_refused_for_three() {
    use retry_plan::planner::{Lint, plan};
    retry_policy! {
        struct Shenyu {
            #[allow(unreachable, cannot_fit, reason = "that it is found is the point")]
            timeout(3s) { retry(attempts = 3, backoff = fixed(2s), jitter = none) { attempt(3s) } }
        }
    }
    assert!(plan::has(&Shenyu::POLICY, Lint::Unreachable, 1));
    let op = Script::new([HANGS]);
    assert!(Shenyu::run(async |_| op.call().await).await.is_err());
    assert_eq!((op.calls(), op.now()), (1, 3000), "what the finding warns of");
}

/// B 32: thirty seconds for each attempt, and backoff, ran 127 seconds under a budget of thirty.
#[tokio::test(start_paused = true)]
async fn b32_a_sleep_that_would_overrun_is_skipped() {
    retry_policy! {
        struct Dataflow {
            deadline(30s) { retry(attempts = ..=4, backoff = fixed(1s), jitter = none) { attempt(takes = 25s..=30s) } }
        }
    }
    let op = Script::new([err(26_000, 1)]);
    let failure = Dataflow::run_detailed(async |_| op.call().await)
        .await
        .unwrap_err();
    assert_eq!((failure.stop, op.calls(), op.now()), (Stop::WontFit, 1, 26_000));
}

/// C 37: a hint of ten seconds over a backoff of ten milliseconds was ignored, and the hook was told another wait than
/// was slept.
#[tokio::test(start_paused = true)]
async fn c37_a_hint_is_waited_for_and_the_hook_is_told_each_wait_itself() {
    let op = Script::new([fails(0, Oops::Busy(10.0)), err(0, 1), ok(0, 2)]);
    let mut told = Vec::new();
    let run = retry_policy!(
        attempts = 3,
        attempt = 100ms,
        backoff = fixed(10ms),
        jitter = none,
        retry_after = Oops::retry_after,
        retry_after_max = 1min,
        on_retry = |retry| told.push(retry.wait()),
        async |_| op.call().await
    );
    assert_eq!(run.await, Ok(2));
    assert_eq!(told, [ms(10_000), ms(10)]);
    assert_eq!(op.starts(), [0, 10_000, 10_010]);
}

/// C 38, 39: a hint is read from the error as it is, whatever it is.
#[tokio::test(start_paused = true)]
async fn c38_a_hint_comes_from_the_operations_own_error() {
    let op = Script::new([fails(0, Oops::Busy(0.25)), ok(0, 2)]);
    let run = retry_policy!(
        attempts = 2,
        attempt = 100ms,
        backoff = none,
        retry_after = |error: &Oops| error.retry_after(),
        retry_after_max = 1s,
        async |_| op.call().await
    );
    assert_eq!(run.await, Ok(2));
    assert_eq!(op.starts(), [0, 250]);
}

/// C 41: a hint above the bound was dropped, so that the client came back *sooner*.
#[tokio::test(start_paused = true)]
async fn c41_a_hint_above_the_bound_never_brings_an_earlier_retry() {
    let op = Script::new([fails(0, Oops::Busy(121.0)), ok(0, 2)]);
    let run = retry_policy!(
        attempts = 2,
        attempt = 100ms,
        backoff = fixed(1s),
        jitter = none,
        retry_after = Oops::retry_after,
        retry_after_max = 120s,
        async |_| op.call().await
    );
    assert_eq!(run.await, Err(Oops::Busy(121.0)));
    assert_eq!((op.calls(), op.now()), (1, 0));
}

/// D 42: `&mut self` in the operation.
#[tokio::test(start_paused = true)]
async fn d42_an_operation_may_borrow_mutably() {
    struct Client {
        calls: u32,
    }
    impl Client {
        async fn next(&mut self) -> Result<u32, Oops> {
            tokio::task::yield_now().await;
            self.calls += 1;
            if self.calls < 3 {
                Err(Oops::Boom(self.calls))
            } else {
                Ok(self.calls)
            }
        }

        async fn patiently(&mut self) -> Result<u32, Oops> {
            retry_policy!(attempts = 3, attempt = 100ms, async |_| self.next().await).await
        }
    }
    assert_eq!(Client { calls: 0 }.patiently().await, Ok(3));
}

/// D 43, 45: generic code can ask for `Send`, and nothing is `Send` or `'static` that needn't be.
#[tokio::test(start_paused = true)]
async fn d43_runs_are_send_when_the_operation_is_and_work_when_it_is_not() {
    retry_policy! {
        struct Two {
            deadline(1s) { retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(100ms) } }
        }
    }
    async fn generic<F, Fut>(operation: F) -> Result<u32, Oops>
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<u32, Oops>> + Send + 'static,
    {
        tokio::spawn(async move { Two::run(async |_| operation().await).await })
            .await
            .unwrap()
    }
    assert_eq!(generic(|| async { Ok(1) }).await, Ok(1));

    let local = std::rc::Rc::new(std::cell::Cell::new(0));
    let value = Two::run(async |_| {
        tokio::task::yield_now().await;
        local.set(local.get() + 1);
        if local.get() < 2 {
            Err(Oops::Boom(1))
        } else {
            Ok(local.get())
        }
    });
    assert_eq!(value.await, Ok(2));
}

/// D 44: a hook needs no annotation, no `'static` and no box.
#[tokio::test(start_paused = true)]
async fn d44_a_hook_borrows_and_its_types_are_inferred() {
    let op = Script::new([err(0, 1), ok(0, 2)]);
    let mut seen = String::new();
    let run = retry_policy!(
        attempts = 2,
        attempt = 100ms,
        backoff = none,
        on_retry = |retry| seen.push_str(&format!("{:?}", retry.error())),
        async |_| op.call().await
    );
    assert_eq!(run.await, Ok(2));
    assert_eq!(seen, "Some(Boom(1))");
}

/// F 51: the first completion won a hedge, even an error.
#[tokio::test(start_paused = true)]
async fn f51_an_error_at_ten_never_beats_a_success_at_a_hundred() {
    retry_policy! {
        struct Hedged {
            hedge(after = 1ms, copies = 2) { attempt(1s) }
        }
    }
    let op = Script::new([ok(100, 1), err(9, 2)]);
    assert_eq!(Hedged::run(async |_| op.call().await).await, Ok(1));
}

/// F 53: ten deposits of 0.6 gave ten withdrawals, and four threads were granted 101 of 100.
#[test]
fn f53_ten_requests_at_six_tenths_fund_six_retries() {
    static OWN: Budget = Budget::ratio(0.6, 10);
    let spend = || {
        OWN.admit(retry_plan::Repeat::Retry)
            .map(retry_plan::Charge::spend)
            .is_some()
    };
    while spend() {}
    (0..10).for_each(|_| OWN.request());
    assert_eq!((0..10).filter(|_| spend()).count(), 6);
}

/// F 54: a bucket that was never set or never asked applied no quota.
#[tokio::test(start_paused = true)]
async fn f54_a_budget_is_asked_by_the_policy_that_names_it() {
    static OWN: Budget = Budget::ratio(0.0, 0);
    retry_policy! {
        struct Broke {
            retry(attempts = 3, backoff = none, budget = OWN) { attempt(10ms) }
        }
    }
    let op = Script::new([err(0, 1)]);
    let failure = Broke::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!((op.calls(), failure.stop), (1, Stop::BudgetRefused));
}

/// G 55: permanent and exhausted are told apart, count and cause are kept.
#[tokio::test(start_paused = true)]
async fn g55_permanent_is_told_from_exhausted() {
    retry_policy! {
        struct Choosy {
            type Error = Oops;
            retry(attempts = 2, backoff = none, when = Oops::is_transient) { attempt(10ms) }
        }
    }
    for (step, stop, attempts) in [
        (fails(0, Oops::Fatal), Stop::NotRetryable, 1),
        (err(0, 1), Stop::Exhausted, 2),
    ] {
        let op = Script::new([step]);
        let failure = Choosy::run_detailed(async |_| op.call().await).await.unwrap_err();
        assert_eq!((failure.stop, failure.attempts), (stop, attempts));
        assert!(failure.last.is_some());
    }
}

/// G 55: that a run succeeded only after retries was nowhere to be seen.
#[tokio::test(start_paused = true)]
async fn g55_a_success_after_retries_is_told_to_the_hook_and_counted_by_the_budget() {
    static OWN: Budget = Budget::ratio(0.1, 10);
    let op = Script::new([err(0, 1), ok(0, 2)]);
    let mut retries = 0;
    let run = retry_policy!(
        attempts = 3,
        attempt = 10ms,
        backoff = none,
        budget = OWN,
        on_retry = |_| retries += 1,
        async |_| op.call().await
    );
    assert_eq!(run.await, Ok(2));
    let stats = OWN.stats();
    assert_eq!((retries, stats.retries, stats.successes), (1, 1, 1));
}

/// G 56: an outcome that is no plain `Result`.
#[tokio::test(start_paused = true)]
async fn g56_an_option_of_a_result_is_polled_until_it_is_there() {
    let mut replies = [None, Some(Ok::<_, Oops>(3))].into_iter();
    let run = retry_policy!(attempts = 3, attempt = 10ms, backoff = none, async |_| replies
        .next()
        .flatten());
    assert_eq!(run.await, Ok(Ok(3)));
}

/// G 58: a retried POST repeats its effect unless a key goes with it.
#[tokio::test(start_paused = true)]
async fn g58_a_repeat_of_an_effect_carries_the_same_key() {
    let seen = std::sync::Mutex::new(std::collections::HashSet::new());
    let effects = AtomicU32::new(0);
    let run = retry_policy! {
        type Error = Oops;
        retry(attempts = 3, backoff = fixed(10ms), jitter = none) {
            attempt(50ms, idempotent = false, idempotency_key) async |cx| {
                // The server does it once for each key, and its first answer is lost.
                if seen.lock().unwrap().insert(cx.idempotency_key().unwrap().to_string()) {
                    effects.fetch_add(1, SeqCst);
                    pending::<()>().await;
                }
                Ok(())
            }
        }
    };
    assert_eq!(run.await, Ok(()));
    assert_eq!(effects.load(SeqCst), 1);
}

/// G 59: futures of 31 kB overflowed stacks.
#[test]
fn g59_a_run_is_the_operation_and_little_more() {
    retry_policy! {
        struct Big {
            deadline(1s) { retry(attempts = 3, backoff = fixed(10ms), jitter = none) { attempt(100ms) } }
        }
    }
    async fn operation() -> Result<u8, Oops> {
        let held = [1_u8; 4096];
        tokio::task::yield_now().await;
        Ok(held[0])
    }
    let own = size_of_val(&operation());
    let run = size_of_val(&Big::run(async |_| operation().await));
    assert!(run < own + 600, "{run} bytes around {own}");
}
