//! Findings: even the fastest success comes too late.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(100ms) {
            attempt(takes = 200ms..=300ms)
        }
    }
}

fn main() {}
