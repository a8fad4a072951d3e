//! Findings by const: a payment that must not happen twice.
use retry_plan::retry_policy;
use std::time::Duration;

const BOUND: Duration = Duration::from_millis(200);

retry_policy! {
    struct Charge {
        retry(attempts = 2) {
            attempt(BOUND, idempotent = false)
        }
    }
}

fn main() {}
