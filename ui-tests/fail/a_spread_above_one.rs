//! Values: is a percentage.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, jitter = spread(20)) {
            attempt(200ms)
        }
    }
}

fn main() {}
