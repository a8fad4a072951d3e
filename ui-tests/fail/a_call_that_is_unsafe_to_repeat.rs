//! Calls: a policy of another crate holds an attempt that must not happen twice.
use retry_plan::retry_policy;

retry_policy! {
    struct Checkout {
        retry(attempts = 2) {
            call(pay::Transfer)
        }
    }
}

fn main() {}
