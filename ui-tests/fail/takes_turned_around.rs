//! Values: the least is above the most.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(takes = 500ms..=50ms)
    }
}

fn main() {}
