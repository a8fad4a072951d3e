//! Structure: names tell them apart.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        race {
            near: attempt(200ms),
            near: attempt(200ms),
        }
    }
}

fn main() {}
