//! Values: lets nothing start, also by a constant.
use retry_plan::retry_policy;
use std::time::Duration;

const LIMIT: Duration = Duration::ZERO;

retry_policy! {
    struct Charge {
        deadline(LIMIT) {
            attempt(200ms)
        }
    }
}

fn main() {}
