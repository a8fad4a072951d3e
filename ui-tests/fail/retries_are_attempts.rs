//! Words: `retries = 2` is `attempts = 3`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(retries = 2) {
            attempt(200ms)
        }
    }
}

fn main() {}
