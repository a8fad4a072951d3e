//! Values: it draws its waits itself.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = decorrelated(50ms), jitter = full) {
            attempt(200ms)
        }
    }
}

fn main() {}
