//! Values: try nothing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 0) {
            attempt(200ms)
        }
    }
}

fn main() {}
