//! Findings by const: the second attempt is refused before it starts.
use retry_plan::retry_policy;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(600);

retry_policy! {
    struct Charge {
        timeout(LIMIT) {
            retry(attempts = 2, backoff = fixed(300ms), jitter = none) {
                attempt(takes = 400ms..=400ms)
            }
        }
    }
}

fn main() {}
