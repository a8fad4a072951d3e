//! Findings: the fourth wait has grown without an end.
#![deny(deprecated)]

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 6, backoff = exponential(100ms, factor = 2)) {
            attempt(200ms)
        }
    }
}

fn main() {}
