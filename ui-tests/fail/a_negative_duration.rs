//! Units: time runs forward.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(-5ms)
    }
}

fn main() {}
