//! Findings: 4 times 3 calls for one.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 4) {
            retry(attempts = 3) {
                attempt(200ms)
            }
        }
    }
}

fn main() {}
