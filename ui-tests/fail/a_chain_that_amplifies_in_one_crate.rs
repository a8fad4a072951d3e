//! Calls: 3 times 4 calls for one, the 4 by a policy in a module.
use retry_plan::retry_policy;

mod pay {
    retry_plan::retry_policy! {
        pub struct Charge {
            retry(attempts = 4) {
                attempt(200ms)
            }
        }
    }
}

retry_policy! {
    struct Checkout {
        retry(attempts = 3) {
            call(pay::Charge)
        }
    }
}

fn main() {}
