//! Structure: holds at least one branch.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            race {}
        }
    }
}

fn main() {}
