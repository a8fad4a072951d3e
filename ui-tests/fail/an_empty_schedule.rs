//! Arguments: has no wait.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = schedule()) {
            attempt(200ms)
        }
    }
}

fn main() {}
