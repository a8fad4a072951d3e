//! `hedge`: another copy each time `after` passes without an answer, or at once when a copy fails; the first success wins.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use retry_plan::{Budget, Stop, retry_policy};

use crate::script::{HANGS, Oops, Script, err, ms, ok};

retry_policy! {
    struct Two {
        hedge(after = 10ms, copies = 2) { attempt(100ms) }
    }

    struct Three {
        hedge(after = 10ms, copies = 3) { attempt(100ms) }
    }
}

#[tokio::test(start_paused = true)]
async fn a_fast_first_copy_stays_alone() {
    let op = Script::new([ok(9, 1)]);
    assert_eq!(Three::run(async |_| op.call().await).await, Ok(1));
    assert_eq!(op.starts(), [0]);
}

#[tokio::test(start_paused = true)]
async fn a_copy_starts_each_time_the_time_passes_without_an_answer() {
    let op = Script::new([ok(50, 1), ok(50, 2), ok(50, 3)]);
    assert_eq!(Three::run(async |_| op.call().await).await, Ok(1));
    assert_eq!(op.starts(), [0, 10, 20]);
    assert_eq!(op.now(), 50);
}

#[tokio::test(start_paused = true)]
async fn a_failed_copy_brings_the_next_at_once_and_starts_the_time_anew() {
    let op = Script::new([err(4, 1), ok(50, 2), ok(1, 3)]);
    assert_eq!(Three::run(async |_| op.call().await).await, Ok(3));
    assert_eq!(op.starts(), [0, 4, 14]);
    assert_eq!(op.now(), 15);
}

retry_policy! {
    #[allow(unbounded, reason = "copies without limits are what the test is about")]
    struct Boundless {
        type Error = Oops;
        hedge(after = 10ms, copies = 3) { attempt }
    }
}

#[tokio::test(start_paused = true)]
async fn copies_that_are_out_are_polled_once_when_the_next_is_launched() {
    let polls = [const { Cell::new(0) }; 3];
    let ran = Boundless::run(async |attempt| {
        let polls = &polls[attempt.copy() as usize - 1];
        let last = attempt.copy() == 3;
        poll_fn(move |_| {
            polls.set(polls.get() + 1);
            if last { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        Ok::<_, Oops>(attempt.copy())
    });
    assert_eq!(ran.await, Ok(3));
    // At its start, and at each launch after it.
    assert_eq!(polls.map(Cell::into_inner), [3, 2, 1]);
}

#[tokio::test(start_paused = true)]
async fn copies_without_limits_are_launched_in_time_and_wait_for_each_other() {
    let op = Script::new([err(50, 1), err(30, 2), ok(60, 3)]);
    assert_eq!(Boundless::run(async |_| op.call().await).await, Ok(3));
    assert_eq!(op.starts(), [0, 10, 20]);
    assert_eq!(op.now(), 80);
}

#[tokio::test(start_paused = true)]
async fn an_error_never_beats_a_pending_success() {
    // The copy fails long before the first answers; completion alone must not win.
    let op = Script::new([ok(90, 1), err(1, 2)]);
    assert_eq!(Two::run(async |_| op.call().await).await, Ok(1));
    assert_eq!(op.now(), 90);
}

#[tokio::test(start_paused = true)]
async fn it_fails_only_when_every_copy_has_failed_and_with_the_last_error() {
    let op = Script::new([err(30, 1), err(5, 2), err(1, 3)]);
    let failure = Three::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(failure.last, Some(Oops::Boom(1)));
    assert_eq!(failure.attempts, 3);
    assert_eq!(op.starts(), [0, 10, 15]);
    assert_eq!(op.now(), 30);
}

#[tokio::test(start_paused = true)]
async fn two_that_fail_at_one_instant_report_the_first_in_order() {
    let op = Script::new([err(20, 1), err(10, 2)]);
    let error = Two::run(async |_| op.call().await).await.unwrap_err();
    assert_eq!(error, Oops::Boom(1));
}

#[tokio::test(start_paused = true)]
async fn two_that_succeed_at_one_instant_give_the_first_in_order() {
    let op = Script::new([ok(20, 1), ok(10, 2)]);
    assert_eq!(Two::run(async |_| op.call().await).await, Ok(1));
}

#[tokio::test(start_paused = true)]
async fn losers_are_dropped_before_the_result_is_returned() {
    let op = Script::new([HANGS, HANGS, ok(5, 3)]);
    let mut run = pin!(Three::run(async |_| op.call().await));
    assert_eq!(run.as_mut().await, Ok(3));
    // The run itself is still alive here.
    assert_eq!(op.out(), 0);
    assert_eq!(op.ends(), [25, 25, 25]);
}

#[tokio::test(start_paused = true)]
async fn every_copy_knows_its_number() {
    let op = Script::new([HANGS, HANGS, ok(1, 0)]);
    let copies = std::sync::Mutex::new(Vec::new());
    Three::run(async |cx| {
        copies.lock().unwrap().push(cx.copy());
        op.call().await
    })
    .await
    .unwrap();
    assert_eq!(*copies.lock().unwrap(), [1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn each_copy_has_its_own_bound_and_a_cut_copy_counts_as_failed() {
    let op = Script::new([HANGS, HANGS]);
    let failure = Two::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(op.ends(), [100, 110]);
    assert_eq!((failure.last, failure.attempts), (None, 2));
    assert_eq!(failure.stop, Stop::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_hedge_pays_when_it_is_launched_and_not_before() {
    static PAYS: Budget = Budget::ratio(0.0, 1);
    retry_policy! {
        struct Paying {
            hedge(after = 10ms, copies = 3, budget = PAYS) { attempt(100ms) }
        }
    }
    let fast = Script::new([ok(9, 1)]);
    assert_eq!(Paying::run(async |_| fast.call().await).await, Ok(1));
    assert_eq!(PAYS.affordable(), 1);

    let slow = Script::new([ok(50, 1), HANGS]);
    assert_eq!(Paying::run(async |_| slow.call().await).await, Ok(1));
    assert_eq!(PAYS.affordable(), 0);
    assert_eq!(
        slow.starts(),
        [0, 10],
        "the second copy was paid for, the third refused"
    );
    assert_eq!(slow.now(), 50, "and the refusal left the running copies alone");
    let stats = PAYS.stats();
    assert_eq!((stats.requests, stats.hedges, stats.refused), (2, 1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_copy_that_could_not_answer_before_the_limit_is_not_launched() {
    retry_policy! {
        struct Tight {
            #[allow(unreachable, cannot_fit, reason = "the copy that can't answer in time is the point")]
            timeout(15ms) { hedge(after = 10ms, copies = 2) { attempt(takes = 8ms..=14ms) } }
        }
    }
    let op = Script::new([ok(14, 1)]);
    assert_eq!(Tight::run(async |_| op.call().await).await, Ok(1));
    assert_eq!(op.starts(), [0]);
}

#[tokio::test(start_paused = true)]
async fn a_hedge_of_retries_and_a_retry_of_hedges_both_run() {
    retry_policy! {
        struct HedgedRetries {
            hedge(after = 30ms, copies = 2) {
                retry(attempts = 2, backoff = fixed(5ms), jitter = none) { attempt(20ms) }
            }
        }
        struct RetriedHedges {
            retry(attempts = 2, backoff = fixed(5ms), jitter = none) {
                hedge(after = 10ms, copies = 2) { attempt(20ms) }
            }
        }
    }
    let op = Script::new([HANGS, HANGS, ok(1, 3)]);
    assert_eq!(HedgedRetries::run(async |_| op.call().await).await, Ok(3));
    assert_eq!(op.starts(), [0, 25, 30]);

    let op = Script::new([err(1, 1), err(1, 2), ok(1, 3)]);
    assert_eq!(RetriedHedges::run(async |_| op.call().await).await, Ok(3));
    assert_eq!(op.starts(), [0, 1, 7]);
}

#[tokio::test(start_paused = true)]
async fn copies_that_are_dropped_with_their_hedge_count_as_cancelled() {
    static BOOKS: Budget = Budget::unlimited();
    retry_policy! {
        struct Leaves {
            hedge(after = 10ms, copies = 3, budget = BOOKS) { attempt(100ms) }
        }
        struct Trees {
            hedge(after = 10ms, copies = 3, budget = BOOKS) { timeout(90ms) { attempt(80ms) } }
        }
    }
    let op = Script::new([HANGS]);
    {
        let run = pin!(Leaves::run(async |_| op.call().await));
        assert!(tokio::time::timeout(ms(15), run).await.is_err());
    }
    let stats = BOOKS.stats();
    assert_eq!((stats.requests, stats.hedges, stats.cancelled), (1, 1, 2));
    {
        let run = pin!(Trees::run(async |_| op.call().await));
        assert!(tokio::time::timeout(ms(25), run).await.is_err());
    }
    let stats = BOOKS.stats();
    assert_eq!((stats.requests, stats.hedges, stats.cancelled), (2, 3, 5));
}
