//! Units: the longest unit is the hour.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(2d)
    }
}

fn main() {}
