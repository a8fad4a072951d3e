//! What each kind of node tells, and how a run ends that didn't end by itself.

use std::pin::pin;
use std::sync::Arc;

use retry_plan::{Budget, Scope, retry_policy};

use crate::log::{Log, told, watched};
use crate::script::{HANGS, Oops, Script, err, fails, ms, ok};

retry_policy! {
    struct Plain {
        retry(attempts = 2, backoff = fixed(20ms), jitter = none) { attempt(10ms) }
    }

    struct Copies {
        timeout(80ms) { hedge(after = 10ms, copies = 3) { attempt(50ms) } }
    }

    struct Rivals {
        race { near: attempt(50ms), far: attempt(50ms) }
    }

    struct Either {
        fallback { fresh: attempt(50ms), stale: attempt(50ms) }
    }

    struct Both {
        parallel { left: attempt(50ms), right: attempt(50ms) }
    }
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_attempt_and_a_stop() {
    let op = Script::new([HANGS]);
    let (_, lines) = watched(Plain::run_detailed(async |_| op.call().await)).await;
    told(
        &lines,
        "Plain",
        &[
            "begin",
            "start Plain 1/2 copy 1",
            "end Plain 1/2 copy 1: timed_out",
            "wait 20ms after 1",
            "start Plain 2/2 copy 1",
            "end Plain 2/2 copy 1: timed_out",
            "stop exhausted, 2 in 40ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_a_server_asked_for_is_told_as_hinted() {
    let op = Script::new([fails(0, Oops::Busy(0.5)), fails(0, Oops::Busy(0.001)), ok(0, 1)]);
    let run = retry_policy!(
        attempts = 3,
        attempt = 10ms,
        backoff = fixed(20ms),
        jitter = none,
        retry_after = Oops::retry_after,
        retry_after_max = 1s,
        async |_| op.call().await
    );
    let (_, lines) = watched(run).await;
    let waits: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split_once(": wait ").map(|(_, wait)| wait))
        .collect();
    assert_eq!(waits, ["500ms after 1, hinted", "20ms after 2"]);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_by_the_limit_by_the_budget_and_by_the_scope() {
    static BROKE: Budget = Budget::ratio(0.0, 0);
    retry_policy! {
        struct Limited {
            deadline(100ms) { retry(attempts = ..=3, backoff = fixed(90ms), jitter = none) { attempt(50ms) } }
        }
        struct Paid {
            retry(attempts = 3, backoff = fixed(20ms), jitter = none, budget = BROKE) { attempt(50ms) }
        }
    }
    let op = Script::new([err(20, 1)]);
    let (_, lines) = watched(Limited::run_detailed(async |_| op.call().await)).await;
    told(
        &lines[2..],
        "Limited",
        &[
            "end Limited 1/3 copy 1: failure Oops",
            "refused after 1: wont_fit",
            "stop wont_fit, 1 in 20ms",
        ],
    );
    let (_, lines) = watched(Paid::run_detailed(async |_| op.call().await)).await;
    told(
        &lines[2..],
        "Paid",
        &[
            "end Paid 1/3 copy 1: failure Oops",
            "refused after 1: budget_refused",
            "stop budget_refused, 1 in 20ms",
        ],
    );
    let run = Scope::new()
        .once()
        .run(Plain::run_detailed(async |_| op.call().await));
    let (_, lines) = watched(run).await;
    told(
        &lines[3..],
        "Plain",
        &["refused after 1: not_retryable", "stop not_retryable, 1 in 10ms"],
    );
}

#[tokio::test(start_paused = true)]
async fn copies_launched_by_time_and_by_failure_and_the_one_that_wins() {
    let op = Script::new([HANGS, err(5, 2), ok(5, 3)]);
    let (value, lines) = watched(Copies::run(async |_| op.call().await)).await;
    assert_eq!(value, Ok(3));
    told(
        &lines,
        "Copies",
        &[
            "begin",
            "start Copies 1/1 copy 1",
            "hedge 2 by time",
            "start Copies 1/1 copy 2",
            "end Copies 1/1 copy 2: failure Oops",
            "hedge 3 by failure",
            "start Copies 1/1 copy 3",
            "end Copies 1/1 copy 3: success",
            "end Copies 1/1 copy 1: cancelled",
            "win 3",
            "stop success, 3 in 20ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn a_copy_that_is_refused() {
    static BROKE: Budget = Budget::ratio(0.0, 0);
    retry_policy! {
        struct Paid {
            hedge(after = 10ms, copies = 3, budget = BROKE) { attempt(50ms) }
        }
    }
    let op = Script::new([ok(30, 1)]);
    let (_, lines) = watched(Paid::run(async |_| op.call().await)).await;
    told(
        &lines[2..],
        "Paid",
        &[
            "refused after 1: budget_refused",
            "end Paid 1/1 copy 1: success",
            "win 1",
            "stop success, 1 in 30ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn the_branch_that_wins_a_race_and_the_one_that_loses() {
    let (near, far) = (Script::new([HANGS]), Script::new([ok(5, 2)]));
    let run = Rivals::new()
        .near(async |_| near.call().await)
        .far(async |_| far.call().await)
        .run();
    let (value, lines) = watched(run).await;
    assert_eq!(value, Ok(2));
    told(
        &lines,
        "Rivals",
        &[
            "begin",
            "start near 1/1 copy 1",
            "start far 1/1 copy 1",
            "end far 1/1 copy 1: success",
            "win 2",
            "end near 1/1 copy 1: cancelled",
            "stop success, 2 in 5ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn the_branch_of_a_fallback_that_brought_the_value() {
    let (fresh, stale) = (Script::new([err(5, 1)]), Script::new([ok(5, 2)]));
    let run = Either::new()
        .fresh(async |_| fresh.call().await)
        .stale(async |_| stale.call().await)
        .run();
    let (value, lines) = watched(run).await;
    assert_eq!(value, Ok(2));
    told(
        &lines,
        "Either",
        &[
            "begin",
            "start fresh 1/1 copy 1",
            "end fresh 1/1 copy 1: failure Oops",
            "start stale 1/1 copy 1",
            "end stale 1/1 copy 1: success",
            "win 2",
            "stop success, 2 in 10ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn a_parallel_whose_branch_fails_cancels_the_others() {
    let (left, right) = (Script::new([HANGS]), Script::new([err(5, 2)]));
    let run = Both::new()
        .left(async |_| left.call().await)
        .right(async |_| right.call().await)
        .run();
    let (value, lines) = watched(run).await;
    assert!(value.is_err());
    told(
        &lines[3..],
        "Both",
        &[
            "end right 1/1 copy 1: failure Oops",
            "end left 1/1 copy 1: cancelled",
            "stop exhausted, 2 in 5ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_tells_its_attempts_ends_and_its_own() {
    let log = Arc::new(Log::default());
    let op = Script::new([HANGS]);
    {
        let run = pin!(
            Scope::new()
                .observed(log.clone())
                .run(Copies::run(async |_| op.call().await))
        );
        assert!(tokio::time::timeout(ms(15), run).await.is_err());
    }
    told(
        &log.lines()[2..],
        "Copies",
        &[
            "hedge 2 by time",
            "start Copies 1/1 copy 2",
            "end Copies 1/1 copy 1: cancelled",
            "end Copies 1/1 copy 2: cancelled",
            "stop cancelled, 2 in 15ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_that_never_starts_a_call_tells_only_that() {
    let op = Script::new([ok(0, 1)]);
    let run = Scope::new()
        .within(ms(0))
        .run(Copies::run_detailed(async |_| op.call().await));
    let (_, lines) = watched(run).await;
    told(&lines, "Copies", &["begin", "stop deadline_exceeded, 0 in 0ns"]);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_one_future_tells_what_a_loop_tells() {
    static PAYS: Budget = Budget::ratio(0.0, 1);
    static PAYS_TOO: Budget = Budget::ratio(0.0, 1);
    retry_policy! {
        #[allow(unbounded, reason = "it is dropped")]
        struct One {
            type Error = Oops;
            retry(attempts = 3, backoff = fixed(20ms), jitter = none, when = Oops::is_transient, budget = PAYS) { attempt }
        }
        #[allow(unbounded, reason = "it is dropped")]
        struct OneAsLoop {
            type Error = Oops;
            retry(
                attempts = 3, backoff = fixed(20ms), jitter = none, when = Oops::is_transient, budget = PAYS_TOO,
                on_retry = |_| {}
            ) { attempt }
        }
        struct Limited {
            timeout(200ms) { retry(attempts = 3, backoff = fixed(20ms), jitter = none) { attempt(50ms) } }
        }
        struct LimitedAsLoop {
            timeout(200ms) {
                retry(attempts = 3, backoff = fixed(20ms), jitter = none, on_retry = |_| {}) { attempt(50ms) }
            }
        }
    }

    macro_rules! told_by {
        ($Policy:ident, $steps:expr, $dropped:expr) => {{
            let (log, op) = (Arc::new(Log::default()), Script::new($steps));
            {
                let run = $Policy::run_detailed(async |_| op.call().await);
                let run = pin!(Scope::new().observed(log.clone()).run(run));
                let _ = tokio::time::timeout(ms($dropped), run).await;
            }
            let lines = log.lines();
            lines
                .iter()
                .map(|line| line.replace("AsLoop", ""))
                .collect::<Vec<_>>()
        }};
    }
    for steps in [
        vec![ok(10, 1)],
        vec![err(10, 1), ok(10, 2)],
        vec![err(0, 1), fails(5, Oops::Fatal)],
        vec![err(0, 1)],
        vec![HANGS],
    ] {
        // While the first attempt, the first wait and the second attempt are out, and after the end.
        for dropped in [5, 15, 35, 500] {
            for (one, looped) in [
                (
                    told_by!(One, steps.clone(), dropped),
                    told_by!(OneAsLoop, steps.clone(), dropped),
                ),
                (
                    told_by!(Limited, steps.clone(), dropped),
                    told_by!(LimitedAsLoop, steps.clone(), dropped),
                ),
            ] {
                assert!(one.iter().any(|line| line.contains("begin")), "{one:?}");
                assert!(one.last().is_some_and(|line| line.contains("stop")), "{one:?}");
                assert_eq!(one, looped, "{steps:?}, dropped after {dropped}");
            }
        }
    }
}
