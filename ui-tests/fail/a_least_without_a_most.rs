//! Values: the longest has to be known somewhere.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(takes = 50ms..)
        }
    }
}

fn main() {}
