//! Units: is no value.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(?)
    }
}

fn main() {}
