//! Findings by const: a sum beyond what a duration holds.
use retry_plan::retry_policy;

const TRIES: u32 = 3;

retry_policy! {
    struct Charge {
        retry(attempts = TRIES) {
            attempt(3_000_000_000_000_000h)
        }
    }
}

fn main() {}
