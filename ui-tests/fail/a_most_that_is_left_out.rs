//! Arguments: the most is part of `attempts`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = ..3) {
            attempt(200ms)
        }
    }
}

fn main() {}
