//! Arguments: its first wait is missing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponential) {
            attempt(200ms)
        }
    }
}

fn main() {}
