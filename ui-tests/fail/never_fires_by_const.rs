//! Findings by const: the inner limit is the longer one.
use retry_plan::retry_policy;
use std::time::Duration;

const INNER: Duration = Duration::from_millis(3000);

retry_policy! {
    struct Charge {
        timeout(2s) {
            timeout(INNER) {
                attempt
            }
        }
    }
}

fn main() {}
