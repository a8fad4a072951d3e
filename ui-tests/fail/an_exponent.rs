//! Units: durations have no exponent.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(1e3ms)
    }
}

fn main() {}
