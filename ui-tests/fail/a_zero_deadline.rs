//! Values: lets nothing start.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(0s) {
            attempt(200ms)
        }
    }
}

fn main() {}
