//! Units: durations are decimal.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(0x10ms)
    }
}

fn main() {}
