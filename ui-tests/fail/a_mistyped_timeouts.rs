//! Words: `retry` or `stop`?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, timeouts = abort) {
            attempt(200ms)
        }
    }
}

fn main() {}
