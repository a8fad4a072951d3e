//! Words: the cap stands in the backoff.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, max_interval = 5s) {
            attempt(200ms)
        }
    }
}

fn main() {}
