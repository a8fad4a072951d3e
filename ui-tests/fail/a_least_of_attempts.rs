//! Arguments: as many as fit has no least.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 1..=3) {
            attempt(200ms)
        }
    }
}

fn main() {}
