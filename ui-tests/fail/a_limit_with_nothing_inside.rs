//! Structure: one error while typing.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {}
    }
}

fn main() {}
