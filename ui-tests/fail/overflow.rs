//! Findings: a sum beyond what a duration holds.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(3_000_000_000_000_000h)
        }
    }
}

fn main() {}
