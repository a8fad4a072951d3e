//! Types: a predicate on another error.
use std::io::Error;

use retry_plan::retry_policy;

fn is_transient(error: &str) -> bool {
    error.is_empty()
}

retry_policy! {
    struct Charge {
        type Error = Error;
        retry(attempts = 3, when = is_transient) {
            attempt(500ms)
        }
    }
}

fn main() {
    let _charge = Charge::run(async |_| Ok(7));
}
