//! Calls: a policy of another crate takes longer than the deadline leaves.
use retry_plan::retry_policy;

retry_policy! {
    struct Checkout {
        deadline(1s) {
            call(pay::Charge)
        }
    }
}

fn main() {}
