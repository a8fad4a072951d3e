//! One cause: one error, not two.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(2s) {
            timeout(3s) {
                retry(attempts = 2, backoff = fixed(100ms), jitter = none) {
                    attempt(200ms)
                }
            }
        }
    }
}

fn main() {}
