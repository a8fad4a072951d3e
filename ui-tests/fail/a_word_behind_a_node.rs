//! Structure: nothing was expected there.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {
            attempt(200ms)
        } jitter
    }
}

fn main() {}
