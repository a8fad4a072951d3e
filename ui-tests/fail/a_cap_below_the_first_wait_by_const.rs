//! Values: the constant is underlined.
use retry_plan::retry_policy;
use std::time::Duration;

const CAP: Duration = Duration::from_secs(1);

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponential(5s, max = CAP)) {
            attempt(200ms)
        }
    }
}

fn main() {}
