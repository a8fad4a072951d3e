//! Arguments: the second has a name.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponential(100ms, 1s)) {
            attempt(200ms)
        }
    }
}

fn main() {}
