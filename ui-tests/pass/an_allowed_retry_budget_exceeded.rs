//! Levels: compiles.
use std::io::Error;

use retry_plan::{Budget, retry_policy};

static PAYMENTS: Budget = Budget::ratio(0.1, 100);

retry_policy! {
    struct Charge {
        #[allow(retry_budget_exceeded, reason = "this is what the case shows")]
        allowance(PAYMENTS = 1) {
            retry(attempts = 3, budget = PAYMENTS) {
                attempt(200ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
