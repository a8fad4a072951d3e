//! Words: `max_retries = 4` is `attempts = 5`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(max_retries = 4) {
            attempt(200ms)
        }
    }
}

fn main() {}
