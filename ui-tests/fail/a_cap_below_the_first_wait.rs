//! Values: both are underlined.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponential(5s, max = 1s)) {
            attempt(200ms)
        }
    }
}

fn main() {}
