//! Values: is no jitter.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fixed(100ms), jitter = spread(0)) {
            attempt(200ms)
        }
    }
}

fn main() {}
