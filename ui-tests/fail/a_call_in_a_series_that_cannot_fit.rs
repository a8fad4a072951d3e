//! Calls: two policies, one after the other, take longer than the deadline leaves.
use retry_plan::retry_policy;

retry_policy! {
    struct Checkout {
        deadline(1500ms) {
            series {
                reserve: attempt(200ms),
                pay: call(pay::Charge),
            }
        }
    }
}

fn main() {}
