//! Structure: it holds one.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(200ms),
            attempt(300ms),
        }
    }
}

fn main() {}
