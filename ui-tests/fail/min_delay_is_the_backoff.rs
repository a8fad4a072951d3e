//! Words: the first wait stands in the backoff.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, min_delay = 50ms) {
            attempt(200ms)
        }
    }
}

fn main() {}
