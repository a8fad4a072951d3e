//! Units: a number and its unit are one token.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(500 ms)
    }
}

fn main() {}
