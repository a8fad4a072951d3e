//! Words: is a schedule.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fibonacci(50ms)) {
            attempt(200ms)
        }
    }
}

fn main() {}
