//! Findings by const: nothing bounds the whole.
use retry_plan::retry_policy;
use std::time::Duration;

const BOUND: Duration = Duration::from_millis(200);

retry_policy! {
    #[deny(no_deadline)]
    struct Charge {
        retry(attempts = 3, backoff = exponential(100ms, max = 1s)) {
            attempt(BOUND)
        }
    }
}

fn main() {}
