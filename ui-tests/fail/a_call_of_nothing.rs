//! Structure: `call` runs a policy.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        call()
    }
}

fn main() {}
