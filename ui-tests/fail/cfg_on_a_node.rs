//! Structure: the policy is planned before it is known.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            #[cfg(test)]
            attempt(200ms)
        }
    }
}

fn main() {}
