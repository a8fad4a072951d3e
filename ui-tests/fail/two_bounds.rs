//! Arguments: the second is `takes`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(200ms, 500ms)
    }
}

fn main() {}
