//! Values: there is no wait to spread.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 2, backoff = none, jitter = full) {
            attempt(200ms)
        }
    }
}

fn main() {}
