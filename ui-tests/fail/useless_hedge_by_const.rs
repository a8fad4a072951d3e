//! Findings by const: the copy starts when all is over.
#![deny(deprecated)]

use retry_plan::retry_policy;
use std::time::Duration;

const AFTER: Duration = Duration::from_millis(300);

retry_policy! {
    struct Charge {
        hedge(after = AFTER, copies = 2) {
            attempt(200ms)
        }
    }
}

fn main() {}
