//! Findings by const: even the fastest success comes too late.
use retry_plan::retry_policy;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(100);

retry_policy! {
    struct Charge {
        timeout(LIMIT) {
            attempt(takes = 200ms..=300ms)
        }
    }
}

fn main() {}
