//! Arguments: a budget is named.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        allowance(3) {
            attempt(200ms)
        }
    }
}

fn main() {}
