//! Values: is no hedge.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        hedge(after = 80ms, copies = 1) {
            attempt(200ms)
        }
    }
}

fn main() {}
