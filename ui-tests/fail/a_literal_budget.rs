//! Arguments: a budget is a path.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, budget = 10) {
            attempt(200ms)
        }
    }
}

fn main() {}
