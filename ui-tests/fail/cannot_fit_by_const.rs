//! Findings by const: four attempts of 800 ms in two seconds.
use retry_plan::retry_policy;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(2000);

retry_policy! {
    struct Charge {
        timeout(LIMIT) {
            retry(attempts = 4, backoff = exponential(100ms, factor = 2), jitter = none) {
                attempt(800ms)
            }
        }
    }
}

fn main() {}
