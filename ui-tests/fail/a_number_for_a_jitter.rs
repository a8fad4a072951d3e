//! Words: `spread` or `full`?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, jitter = 0.5) {
            attempt(200ms)
        }
    }
}

fn main() {}
