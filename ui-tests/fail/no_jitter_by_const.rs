//! Findings by const: clients that failed together come again together.
#![deny(deprecated)]

use retry_plan::retry_policy;
use std::time::Duration;

const BOUND: Duration = Duration::from_millis(200);

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fixed(100ms)) {
            attempt(BOUND)
        }
    }
}

fn main() {}
