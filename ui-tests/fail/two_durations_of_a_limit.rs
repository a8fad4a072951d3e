//! Arguments: a limit is one.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s, 2s) {
            attempt(200ms)
        }
    }
}

fn main() {}
