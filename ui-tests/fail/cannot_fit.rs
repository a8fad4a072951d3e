//! Findings: four attempts of 800 ms in two seconds.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(2s) {
            retry(attempts = 4, backoff = exponential(100ms, factor = 2), jitter = none) {
                attempt(800ms)
            }
        }
    }
}

fn main() {}
