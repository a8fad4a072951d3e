//! Arguments: one error while typing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, budget =) {
            attempt(200ms)
        }
    }
}

fn main() {}
