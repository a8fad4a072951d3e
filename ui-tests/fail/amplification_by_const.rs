//! Findings by const: 4 times 3 calls for one.
use retry_plan::retry_policy;

const OUTER: u32 = 4;

retry_policy! {
    struct Charge {
        retry(attempts = OUTER) {
            retry(attempts = 3) {
                attempt(200ms)
            }
        }
    }
}

fn main() {}
