//! Levels: only the other one is told.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(amplification, reason = "both layers are ours")]
        retry(attempts = 4) {
            retry(attempts = 3, backoff = none) {
                attempt(200ms, idempotent = false)
            }
        }
    }
}

fn main() {}
