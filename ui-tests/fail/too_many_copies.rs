//! Values: a run has room for sixteen.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        hedge(after = 10ms, copies = 17) {
            attempt(200ms)
        }
    }
}

fn main() {}
