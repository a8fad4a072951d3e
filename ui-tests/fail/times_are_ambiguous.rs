//! Words: three in all, or three more?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(times = 3) {
            attempt(200ms)
        }
    }
}

fn main() {}
