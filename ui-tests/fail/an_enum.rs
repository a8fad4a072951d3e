//! Structure: a policy is a struct.
use retry_plan::retry_policy;

retry_policy! {
    enum Charge {
        attempt(200ms)
    }
}

fn main() {}
