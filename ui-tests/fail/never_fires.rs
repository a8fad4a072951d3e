//! Findings: the inner limit is the longer one.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(2s) {
            timeout(3s) {
                attempt
            }
        }
    }
}

fn main() {}
