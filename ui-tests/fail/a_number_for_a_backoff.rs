//! Arguments: `fixed` or `exponential`?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = 100ms) {
            attempt(200ms)
        }
    }
}

fn main() {}
