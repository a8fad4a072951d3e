//! Structure: a policy has one.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(1s) {
            attempt(200ms)
        },
        attempt(300ms)
    }
}

fn main() {}
