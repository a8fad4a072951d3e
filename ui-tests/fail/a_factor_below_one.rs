//! Values: shrinks the waits.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponential(50ms, factor = 0.5)) {
            attempt(200ms)
        }
    }
}

fn main() {}
