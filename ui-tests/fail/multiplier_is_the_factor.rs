//! Words: the factor stands in the backoff.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, multiplier = 1.5) {
            attempt(200ms)
        }
    }
}

fn main() {}
