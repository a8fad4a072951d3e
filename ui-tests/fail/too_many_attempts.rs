//! Findings: more than five.
use retry_plan::retry_policy;

retry_policy! {
    #[deny(too_many_attempts)]
    struct Charge {
        retry(attempts = 6, backoff = exponential(100ms, max = 1s)) {
            attempt(200ms)
        }
    }
}

fn main() {}
