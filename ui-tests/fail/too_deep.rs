//! Structure: a policy nests two hundred levels deep.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        timeout(1s) {
        attempt(200ms)
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
        }
    }
}

fn main() {}
