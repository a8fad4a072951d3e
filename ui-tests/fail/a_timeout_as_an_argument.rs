//! Arguments: of each attempt, or of all?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, timeout = 1s) {
            attempt(200ms)
        }
    }
}

fn main() {}
