//! Values: is rustc's to tell, at its place.
use retry_plan::retry_policy;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(1).checked_sub(Duration::from_secs(2)).unwrap();

retry_policy! {
    struct Charge {
        deadline(LIMIT) {
            attempt(200ms)
        }
    }
}

fn main() {}
