//! Findings: a payment that must not happen twice.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        hedge(after = 80ms, copies = 2) {
            attempt(200ms, idempotent = false)
        }
    }
}

fn main() {}
