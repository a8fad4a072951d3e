//! Arguments: one of them is meant.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, attempts = 4) {
            attempt(200ms)
        }
    }
}

fn main() {}
