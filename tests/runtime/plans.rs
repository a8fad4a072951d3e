//! Plans that the macro writes into its code, beside those that the planner makes of the same policies.

use retry_plan::{Budget, Plan, retry, retry_policy};

static PAYMENTS: Budget = Budget::aws();

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 3, backoff = exponential(100ms, factor = 1.5, max = 1s), budget = PAYMENTS) { attempt(500ms) }
        }
    }
}

retry_policy! {
    struct LoadPage {
        deadline(4s) {
            parallel {
                user: retry(attempts = 2) { attempt(200ms) },
                orders: timeout(900ms) { hedge(after = 80ms, copies = 2, budget = PAYMENTS) { attempt(takes = 10ms..=300ms) } },
            }
        }
    }
}

retry_policy! {
    #[allow(amplification, reason = "the product of two repeaters is what is asked for")]
    struct Nested {
        retry(attempts = 4, budget = PAYMENTS) {
            retry(attempts = 3, backoff = fixed(1.5ms), jitter = none) {
                attempt(250us, idempotent = false, idempotency_key)
            }
        }
    }
}

retry_policy! {
    #[allow(no_attempt_timeout, unbounded, reason = "a plan without an end")]
    struct Endless {
        retry(attempts = unlimited, backoff = fixed(1s), jitter = none) { attempt }
    }
}

#[retry(attempts = 3, attempt = 500ms, budget = PAYMENTS, export = FETCH_PLAN)]
async fn fetch() -> Result<u32, std::io::Error> {
    Ok(7)
}

#[test]
fn a_plan_that_the_macro_wrote_is_the_one_that_the_planner_makes() {
    assert_eq!(Charge::PLAN, Plan::of(&Charge::POLICY));
    assert_eq!(LoadPage::PLAN, Plan::of(&LoadPage::POLICY));
    assert_eq!(Nested::PLAN, Plan::of(&Nested::POLICY));
    assert_eq!(Endless::PLAN, Plan::of(&Endless::POLICY));
    assert_eq!(Endless::PLAN.worst(), None);
}

#[tokio::test]
async fn an_exported_plan_is_that_of_the_function() {
    assert_eq!(FETCH_PLAN.name(), "fetch");
    assert_eq!(FETCH_PLAN.calls(), Some(3));
    assert_eq!(
        FETCH_PLAN.charges().iter().map(|charge| charge.cost).sum::<u32>(),
        2
    );
    assert_eq!(fetch().await.unwrap(), 7);
}
