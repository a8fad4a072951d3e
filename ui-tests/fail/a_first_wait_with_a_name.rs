//! Words: the first wait has no name inside the backoff.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponential(base = 50ms, multiplier = 2, cap = 1s)) {
            attempt(200ms)
        }
    }
}

fn main() {}
