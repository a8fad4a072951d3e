//! Words: did you mean?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = exponental(50ms)) {
            attempt(200ms)
        }
    }
}

fn main() {}
