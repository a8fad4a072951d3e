//! Units: is not a number.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt('5')
    }
}

fn main() {}
