//! Values: run nothing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        hedge(after = 80ms, copies = 0) {
            attempt(200ms)
        }
    }
}

fn main() {}
