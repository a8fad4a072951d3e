//! Units: `sec` is `s`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(5sec)
    }
}

fn main() {}
