//! Arguments: one allowance each.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        allowance(PAYMENTS = 3, SEARCHES = 2) {
            attempt(200ms)
        }
    }
}

fn main() {}
