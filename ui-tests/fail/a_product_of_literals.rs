//! Units: a value is one literal, or a block.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(2 * 100ms)
    }
}

fn main() {}
