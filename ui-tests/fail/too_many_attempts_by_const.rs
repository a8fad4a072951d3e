//! Findings by const: more than five.
use retry_plan::retry_policy;

const ATTEMPTS: u32 = 6;

retry_policy! {
    #[deny(too_many_attempts)]
    struct Charge {
        retry(attempts = ATTEMPTS, backoff = exponential(100ms, max = 1s)) {
            attempt(200ms)
        }
    }
}

fn main() {}
