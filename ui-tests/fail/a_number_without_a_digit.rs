//! Units: begins with a digit.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(.5s)
    }
}

fn main() {}
