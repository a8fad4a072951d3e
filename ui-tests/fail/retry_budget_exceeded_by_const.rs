//! Findings by const: two retries, and an allowance of one.
use retry_plan::retry_policy;
use retry_plan::Budget;

static PAYMENTS: Budget = Budget::ratio(0.1, 100);

const TRIES: u32 = 3;

retry_policy! {
    struct Charge {
        allowance(PAYMENTS = 1) {
            retry(attempts = TRIES, budget = PAYMENTS) {
                attempt(200ms)
            }
        }
    }
}

fn main() {}
