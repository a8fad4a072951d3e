//! Arguments: only `spread` takes one.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, jitter = full(0.5)) {
            attempt(200ms)
        }
    }
}

fn main() {}
