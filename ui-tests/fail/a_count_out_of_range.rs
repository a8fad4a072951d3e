//! Values: is above 32 bits.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 5_000_000_000) {
            attempt(200ms)
        }
    }
}

fn main() {}
