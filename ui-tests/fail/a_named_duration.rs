//! Arguments: a limit has one value, without a name.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(after = 2s) {
            attempt(200ms)
        }
    }
}

fn main() {}
