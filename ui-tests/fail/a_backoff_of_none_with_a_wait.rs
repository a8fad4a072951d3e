//! Arguments: `none` takes nothing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = none(100ms)) {
            attempt(200ms)
        }
    }
}

fn main() {}
