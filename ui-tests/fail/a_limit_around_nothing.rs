//! Structure: it holds one node.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s)
    }
}

fn main() {}
