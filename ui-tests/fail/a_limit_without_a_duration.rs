//! Arguments: how long?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline {
            attempt(200ms)
        }
    }
}

fn main() {}
