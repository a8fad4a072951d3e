//! Values: is rustc's to tell, at its place.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(LIMIT) {
            attempt(200ms)
        }
    }
}

fn main() {}
