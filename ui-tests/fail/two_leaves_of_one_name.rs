//! Structure: each becomes a setter.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        series {
            first: race {
                near: attempt(200ms),
                far: attempt(200ms),
            },
            second: race {
                near: attempt(200ms),
                other: attempt(200ms),
            },
        }
    }
}

fn main() {}
