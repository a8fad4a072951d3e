//! Structure: a policy was expected.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(500ms)
    }
    
    fn charge() {}
}

fn main() {}
