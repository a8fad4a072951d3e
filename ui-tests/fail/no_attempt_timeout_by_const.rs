//! Findings by const: one hung call takes the whole deadline.
use retry_plan::retry_policy;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(2000);

retry_policy! {
    struct Charge {
        deadline(LIMIT) {
            retry(attempts = 3) {
                attempt
            }
        }
    }
}

fn main() {}
