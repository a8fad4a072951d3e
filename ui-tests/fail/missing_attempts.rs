//! Arguments: `attempts` has no default.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(backoff = none) {
            attempt(200ms)
        }
    }
}

fn main() {}
