//! Arguments: both arguments are needed.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        hedge(after = 80ms) {
            attempt(200ms)
        }
    }
}

fn main() {}
