//! Findings: the second attempt is refused before it starts.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(600ms) {
            retry(attempts = 2, backoff = fixed(300ms), jitter = none) {
                attempt(takes = 400ms..=400ms)
            }
        }
    }
}

fn main() {}
