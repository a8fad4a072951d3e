//! Structure: steps have names.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        series {
            attempt(200ms),
            orders: attempt(200ms),
        }
    }
}

fn main() {}
