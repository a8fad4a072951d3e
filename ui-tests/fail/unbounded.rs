//! Findings: an attempt that may never end.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt
        }
    }
}

fn main() {}
