//! Arguments: `retry_after_max` bounds `retry_after`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, retry_after_max = 1s) {
            attempt(200ms)
        }
    }
}

fn main() {}
