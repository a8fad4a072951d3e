//! Words: did you mean?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadlien(1s) {
            attempt(200ms)
        }
    }
}

fn main() {}
