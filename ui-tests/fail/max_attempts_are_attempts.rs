//! Words: or as many as fit.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(max_attempts = 4) {
            attempt(200ms)
        }
    }
}

fn main() {}
