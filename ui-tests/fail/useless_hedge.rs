//! Findings: the copy starts when all is over.
#![deny(deprecated)]

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        hedge(after = 300ms, copies = 2) {
            attempt(200ms)
        }
    }
}

fn main() {}
