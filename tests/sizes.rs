//! How large a run is, with the operation's own future as the reference: the operation, once for each place that it can be
//! in, one `Sleep`, and little more.

use std::future::Future;

use retry_plan::{Attempt, Budget, Interrupted, retry, retry_policy};
use tokio::time::Sleep;

#[derive(Debug)]
struct Oops;

impl From<Interrupted> for Oops {
    fn from(_: Interrupted) -> Self {
        Self
    }
}

static BUDGET: Budget = Budget::ratio(0.1, 100);

retry_policy! {
    struct Bare {
        retry(attempts = 3, backoff = none) { attempt(takes = 1s) }
    }
    struct Paid {
        retry(attempts = 3, backoff = none, budget = BUDGET) { attempt(takes = 1s) }
    }
    struct Limited {
        timeout(1s) { attempt }
    }
    struct Retried {
        retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(100ms) }
    }
    struct Two {
        deadline(1s) { retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(100ms) } }
    }
    struct Three {
        deadline(1s) { timeout(900ms) { retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(100ms) } } }
    }
    struct Hedged {
        hedge(after = 10ms, copies = 2) { attempt(100ms) }
    }
    struct Both {
        timeout(1s) { parallel { one: attempt(100ms), other: attempt(100ms) } }
    }
    struct Rivals {
        timeout(1s) { race { one: attempt(100ms), other: attempt(100ms) } }
    }
    struct Steps {
        timeout(1s) { series { one: attempt(100ms), other: attempt(100ms) } }
    }
    struct Either {
        timeout(1s) { fallback { one: attempt(100ms), other: attempt(100ms) } }
    }
    struct Allowed {
        timeout(1s) { allowance(BUDGET = 2) { retry(attempts = 2, backoff = none, budget = BUDGET) { attempt(100ms) } } }
    }
}

async fn operation(_: Attempt) -> Result<u8, Oops> {
    let held = [1_u8; 1000];
    tokio::task::yield_now().await;
    Ok(held[999])
}

#[retry(attempts = 3, takes = 1s, backoff = none)]
async fn delegated() -> Result<u8, Oops> {
    operation(Attempt::ONLY).await
}

/// Holds a run to its operations, one `Sleep` and `most` bytes.
#[track_caller]
fn holds<F: Future>(run: &F, operations: usize, most: usize) {
    bare(run, operations, size_of::<Sleep>() + most);
}

/// Holds a run to its operations and `most` bytes.
#[track_caller]
fn bare<F: Future>(run: &F, operations: usize, most: usize) {
    let beyond = size_of_val(run) - operations * size_of_val(&operation(Attempt::ONLY));
    let most = most + watched(operations);
    assert!(
        beyond <= most,
        "{beyond} bytes beyond {operations} operations, {most} at most"
    );
}

/// What runs that are watched hold besides: the span, and for each attempt that is out where it stands.
const fn watched(operations: usize) -> usize {
    if cfg!(any(feature = "observe", feature = "tracing")) {
        96 + 32 * operations
    } else {
        0
    }
}

#[test]
fn a_run_without_a_limit_is_its_operation_and_at_most_56_bytes() {
    bare(&Bare::run(operation), 1, 48);
    bare(&Paid::run(operation), 1, 56);
}

#[test]
fn a_body_that_only_waits_is_what_it_waits_for() {
    bare(&delegated(), 1, 48);
    let in_place = retry_policy!(attempts = 3, takes = 1s, backoff = none, async |cx| operation(cx)
        .await);
    bare(&in_place, 1, 48);
}

#[test]
fn a_limit_adds_one_sleep_and_72_bytes_at_most_and_each_further_one_16() {
    holds(&Limited::run(operation), 1, 64);
    holds(&Retried::run(operation), 1, 72);
    holds(&Two::run(operation), 1, 72);
    holds(&Two::run_detailed(operation), 1, 72);
    holds(&Three::run(operation), 1, 96);
    holds(&Steps::new().one(operation).other(operation).run(), 1, 80);
    holds(&Either::new().one(operation).other(operation).run(), 1, 80);
}

#[test]
fn a_hedge_of_two_is_both_copies_one_sleep_and_less_than_128_bytes() {
    holds(&Hedged::run(operation), 2, 112);
}

#[test]
fn what_runs_together_is_each_operation_one_sleep_and_at_most_256_bytes() {
    holds(&Both::new().one(operation).other(operation).run(), 2, 248);
    holds(&Rivals::new().one(operation).other(operation).run(), 2, 256);
    holds(&Allowed::run(operation), 1, 200);
}
