//! Values: a wait for each retry.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 4, backoff = schedule(50ms, 100ms)) {
            attempt(200ms)
        }
    }
}

fn main() {}
