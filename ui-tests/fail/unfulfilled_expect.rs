//! Findings: what was expected is not found.
#![deny(deprecated)]

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[expect(cannot_fit, reason = "the provider is slow")]
        deadline(2s) {
            attempt(200ms)
        }
    }
}

fn main() {}
