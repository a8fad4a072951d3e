//! Findings by const: three retries without a wait.
use retry_plan::retry_policy;

const TRIES: u32 = 4;

retry_policy! {
    struct Charge {
        retry(attempts = TRIES, backoff = none) {
            attempt(200ms)
        }
    }
}

fn main() {}
