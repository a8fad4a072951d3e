//! Arguments: the most is missing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = ..=) {
            attempt(200ms)
        }
    }
}

fn main() {}
