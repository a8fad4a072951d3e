//! `allowance(KEY = n)`: at most `n` retries and hedges charged to `KEY` inside, whoever spends them.

use retry_plan::{Budget, Scope, Stop, retry_policy};

use crate::script::{Oops, Script, err, ok};

#[tokio::test(start_paused = true)]
async fn it_bounds_the_retries_inside_and_a_refusal_is_the_budgets() {
    static KEY: Budget = Budget::unlimited();
    retry_policy! {
        struct One {
            #[allow(retry_budget_exceeded, reason = "that it refuses is the point")]
            allowance(KEY = 1) { retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = KEY) { attempt(5ms) } }
        }
    }
    let op = Script::new([err(1, 1), err(1, 2), ok(1, 3)]);
    let failure = One::run_detailed(async |_| op.call().await).await.unwrap_err();
    assert_eq!(
        (failure.stop, failure.last),
        (Stop::BudgetRefused, Some(Oops::Boom(2)))
    );
    // Full again with the next run.
    let op = Script::new([err(1, 1), ok(1, 2)]);
    assert_eq!(One::run(async |_| op.call().await).await, Ok(2));
}

#[tokio::test(start_paused = true)]
async fn siblings_share_it() {
    static KEY: Budget = Budget::unlimited();
    retry_policy! {
        struct Shared {
            #[allow(retry_budget_exceeded, reason = "that it refuses is the point")]
            allowance(KEY = 2) { parallel {
                left: retry(attempts = 3, backoff = fixed(10ms), jitter = none, budget = KEY) { attempt(5ms) },
                right: hedge(after = 3ms, copies = 3, budget = KEY) { attempt(50ms) },
            } }
        }
    }
    let (left, right) = (
        Script::new([err(1, 1), err(1, 2), ok(1, 3)]),
        Script::new([ok(40, 1)]),
    );
    let failure = Shared::new()
        .left(async |_| left.call().await)
        .right(async |_| right.call().await)
        .run_detailed()
        .await
        .unwrap_err();
    // One for the retry at 1, one for the copy at 3, none for the copy at 6 or the retry at 12.
    assert_eq!((left.starts(), right.starts()), (vec![0, 11], vec![0, 3]));
    assert_eq!(
        (failure.stop, failure.last),
        (Stop::BudgetRefused, Some(Oops::Boom(2)))
    );
}

#[tokio::test(start_paused = true)]
async fn it_is_full_each_time_its_node_starts() {
    static KEY: Budget = Budget::unlimited();
    retry_policy! {
        struct Refilled {
            retry(attempts = 2, backoff = none) {
                allowance(KEY = 1) { retry(attempts = 2, backoff = none, budget = KEY) { attempt(5ms) } }
            }
        }
    }
    let op = Script::new([err(1, 1)]);
    let _ = Refilled::run(async |_| op.call().await).await;
    assert_eq!(op.calls(), 4);
}

#[tokio::test(start_paused = true)]
async fn it_counts_what_called_policies_spend() {
    static KEY: Budget = Budget::unlimited();
    retry_policy! {
        struct Callee {
            retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = KEY) { attempt(5ms) }
        }
        struct Caller {
            #[allow(retry_budget_exceeded, reason = "that it refuses is the point")]
            allowance(KEY = 1) { series { one: call(Callee), two: call(Callee) } }
        }
    }
    let (one, two) = (
        Script::new([err(1, 1), ok(1, 2)]),
        Script::new([err(1, 3), ok(1, 4)]),
    );
    let failure = Caller::new()
        .one(async |_| Callee::run(async |_| one.call().await).await)
        .two(async |_| Callee::run(async |_| two.call().await).await)
        .run_detailed()
        .await
        .unwrap_err();
    assert_eq!(failure.last, Some(Oops::Boom(3)));
    assert_eq!((one.calls(), two.calls()), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_callers_scope_installs_one() {
    static KEY: Budget = Budget::unlimited();
    retry_policy! {
        struct Free {
            retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = KEY) { attempt(5ms) }
        }
    }
    let op = Script::new([err(1, 1)]);
    let scope = Scope::new().allowance(&KEY, 3);
    for (calls, left) in [(3, 1), (5, 0), (6, 0)] {
        let failure = scope
            .clone()
            .run(Free::run_detailed(async |_| op.call().await))
            .await
            .unwrap_err();
        assert_eq!((op.calls(), scope.allowed(&KEY)), (calls, Some(left)));
        assert_eq!(
            failure.stop,
            if calls == 3 {
                Stop::Exhausted
            } else {
                Stop::BudgetRefused
            }
        );
    }
}

#[tokio::test(start_paused = true)]
async fn it_counts_what_the_operation_of_a_policy_in_place_spends() {
    static KEY: Budget = Budget::unlimited();
    retry_policy! {
        struct Inner {
            retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = KEY) { attempt(5ms) }
        }
        struct Sparing {
            timeout(100ms) { allowance(KEY = 1) { attempt } }
        }
    }
    let op = Script::new([err(1, 1)]);
    let mut runs = 0;
    let run = retry_policy!(Sparing, async |_| {
        runs += 1;
        Inner::run(async |_| op.call().await).await
    });
    assert_eq!(run.await, Err(Oops::Boom(1)));
    assert_eq!((runs, op.calls()), (1, 2));
}
