//! How large a run is, with the operation's own future as the reference: the operation, once for each place that it can be
//! in, one `Sleep`, and little more.

use std::future::Future;

use retry_plan::{Attempt, Budget, Interrupted, retry_policy};
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

/// What a run has beyond its operations and one `Sleep`.
fn beyond<F: Future>(run: &F, operations: usize) -> usize {
    let own = operations * size_of_val(&operation(Attempt::ONLY)) + size_of::<Sleep>();
    size_of_val(run) - own
}

/// What runs that are watched hold besides: the span, and for each attempt that is out where it stands.
const fn watched(operations: usize) -> usize {
    if cfg!(any(feature = "observe", feature = "tracing")) {
        64 + 32 * operations
    } else {
        0
    }
}

#[test]
fn a_run_is_its_operation_once_for_each_place_and_little_more() {
    for (name, operations, beyond, most) in [
        (
            "a retry without a limit",
            1,
            beyond(&Bare::run(operation), 1),
            136,
        ),
        ("a budget", 1, beyond(&Paid::run(operation), 1), 152),
        ("a timeout", 1, beyond(&Limited::run(operation), 1), 128),
        ("a bound in a retry", 1, beyond(&Retried::run(operation), 1), 144),
        ("two limits", 1, beyond(&Two::run(operation), 1), 160),
        (
            "two limits, in detail",
            1,
            beyond(&Two::run_detailed(operation), 1),
            160,
        ),
        ("three limits", 1, beyond(&Three::run(operation), 1), 176),
        ("a hedge of two", 2, beyond(&Hedged::run(operation), 2), 312),
        (
            "a parallel",
            2,
            beyond(&Both::new().one(operation).other(operation).run(), 2),
            280,
        ),
        (
            "a race",
            2,
            beyond(&Rivals::new().one(operation).other(operation).run(), 2),
            288,
        ),
        (
            "a series",
            1,
            beyond(&Steps::new().one(operation).other(operation).run(), 1),
            152,
        ),
        (
            "a fallback",
            1,
            beyond(&Either::new().one(operation).other(operation).run(), 1),
            152,
        ),
        ("an allowance", 1, beyond(&Allowed::run(operation), 1), 248),
    ] {
        println!("{name}: {beyond}");
        let most = most + watched(operations);
        assert!(
            beyond <= most,
            "{name}: {beyond} bytes beyond the operation and a `Sleep`, {most} at most"
        );
    }
}
