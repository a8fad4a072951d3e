//! Arguments: arguments of `retry` are named.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(3) {
            attempt(200ms)
        }
    }
}

fn main() {}
