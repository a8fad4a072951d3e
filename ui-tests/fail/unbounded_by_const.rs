//! Findings by const: an attempt that may never end.
use retry_plan::retry_policy;

const TRIES: u32 = 3;

retry_policy! {
    struct Charge {
        retry(attempts = TRIES) {
            attempt
        }
    }
}

fn main() {}
