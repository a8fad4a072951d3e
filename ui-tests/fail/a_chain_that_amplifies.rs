//! Calls: 3 times 4 calls for one, the 4 by a policy of another crate.
use retry_plan::retry_policy;

retry_policy! {
    struct Checkout {
        retry(attempts = 3) {
            call(pay::Charge)
        }
    }
}

fn main() {}
