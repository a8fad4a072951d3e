//! Findings: one hung call takes the whole deadline.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 3) {
                attempt
            }
        }
    }
}

fn main() {}
