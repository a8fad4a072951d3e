//! Arguments: one error while typing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponential(100ms, max = )) {
            attempt(200ms)
        }
    }
}

fn main() {}
