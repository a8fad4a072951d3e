//! Arguments: `takes` needs an end.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(500ms, takes = ..)
        }
    }
}

fn main() {}
