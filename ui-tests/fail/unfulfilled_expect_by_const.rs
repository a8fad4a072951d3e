//! Findings by const: what was expected is not found.
#![deny(deprecated)]

use retry_plan::retry_policy;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(2000);

retry_policy! {
    struct Charge {
        #[expect(cannot_fit, reason = "the provider is slow")]
        deadline(LIMIT) {
            attempt(200ms)
        }
    }
}

fn main() {}
