//! Words: `true` is `full`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, jitter = true) {
            attempt(200ms)
        }
    }
}

fn main() {}
