//! One cause: have an error each.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        series {
            user: timeout(100ms) {
                attempt(takes = 200ms..=300ms)
            },
            orders: timeout(2s) {
                timeout(3s) {
                    attempt
                }
            },
        }
    }
}

fn main() {}
