//! Structure: the called policy has its own arguments.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        call(Refund, attempts = 3)
    }
}

fn main() {}
