//! Findings by const: the fourth wait has grown without an end.
#![deny(deprecated)]

use retry_plan::retry_policy;

const TRIES: u32 = 6;

retry_policy! {
    struct Charge {
        retry(attempts = TRIES, backoff = exponential(100ms, factor = 2)) {
            attempt(200ms)
        }
    }
}

fn main() {}
