//! Arguments: a composition has none.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        parallel(2) {
            near: attempt(200ms),
            far: attempt(200ms),
        }
    }
}

fn main() {}
