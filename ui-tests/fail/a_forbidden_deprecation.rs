//! Levels: a warning survives `forbid`.
#![forbid(deprecated)]

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fixed(100ms)) {
            attempt(200ms)
        }
    }
}

fn main() {}
