//! Structure: outside of a function a policy has a name.
use retry_plan::retry_policy;

retry_policy! {
    retry(attempts = 3) {
        attempt(200ms)
    }
}

fn main() {}
