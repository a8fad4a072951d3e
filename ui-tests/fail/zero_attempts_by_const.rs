//! Values: try nothing, also by a constant.
use retry_plan::retry_policy;

const TRIES: u32 = 0;

retry_policy! {
    struct Charge {
        retry(attempts = TRIES) {
            attempt(200ms)
        }
    }
}

fn main() {}
