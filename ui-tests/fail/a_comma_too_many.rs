//! Structure: nothing stands before it.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3,, jitter = full) {
            attempt(200ms)
        }
    }
}

fn main() {}
