//! Findings by const: a payment that must not happen twice.
use retry_plan::retry_policy;
use std::time::Duration;

const AFTER: Duration = Duration::from_millis(80);

retry_policy! {
    struct Charge {
        hedge(after = AFTER, copies = 2) {
            attempt(200ms, idempotent = false)
        }
    }
}

fn main() {}
