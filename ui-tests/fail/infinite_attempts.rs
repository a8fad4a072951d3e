//! Words: are unlimited.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = infinite) {
                attempt(200ms)
            }
        }
    }
}

fn main() {}
