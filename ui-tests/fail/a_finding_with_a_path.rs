//! Words: findings have bare names.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            #[allow(retry_plan::cannot_fit)]
            attempt(200ms)
        }
    }
}

fn main() {}
