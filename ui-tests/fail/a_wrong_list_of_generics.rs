//! Structure: generics are those of any type.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge<3> {
        attempt(500ms)
    }
}

fn main() {}
