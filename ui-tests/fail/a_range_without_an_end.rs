//! Arguments: `..=` needs its end.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(500ms, takes = 50ms..=)
        }
    }
}

fn main() {}
