//! Arguments: how much of the wait?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, jitter = spread) {
            attempt(200ms)
        }
    }
}

fn main() {}
