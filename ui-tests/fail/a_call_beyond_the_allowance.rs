//! Calls: two retries of a policy of another crate, and an allowance of one.
use pay::PAYMENTS;
use retry_plan::retry_policy;

retry_policy! {
    struct Checkout {
        allowance(PAYMENTS = 1) {
            call(pay::Refund)
        }
    }
}

fn main() {}
