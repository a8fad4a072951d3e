//! Structure: a named policy begins with `struct`.
use retry_plan::retry_policy;

retry_policy! {
    Charge {
        retry(attempts = 3) {
            attempt(200ms)
        }
    }
}

fn main() {}
