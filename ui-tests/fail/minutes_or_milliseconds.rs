//! Units: `5m` could be either.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(5m)
    }
}

fn main() {}
