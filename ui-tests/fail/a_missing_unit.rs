//! Units: `800` is no duration.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(800)
    }
}

fn main() {}
