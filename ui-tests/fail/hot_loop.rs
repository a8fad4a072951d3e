//! Findings: three retries without a wait.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 4, backoff = none) {
            attempt(200ms)
        }
    }
}

fn main() {}
