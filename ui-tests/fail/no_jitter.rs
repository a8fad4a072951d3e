//! Findings: clients that failed together come again together.
#![deny(deprecated)]

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fixed(100ms)) {
            attempt(200ms)
        }
    }
}

fn main() {}
