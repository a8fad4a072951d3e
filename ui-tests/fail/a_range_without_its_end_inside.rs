//! Arguments: the longest is part of `takes`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(takes = 50ms..500ms)
        }
    }
}

fn main() {}
