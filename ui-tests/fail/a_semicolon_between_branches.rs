//! Structure: branches are separated by commas.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        race {
            near: attempt(200ms);
            far: attempt(200ms),
        }
    }
}

fn main() {}
