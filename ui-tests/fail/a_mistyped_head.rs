//! Words: what stands before a policy is known.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        type Err = std::io::Error;
        attempt(500ms)
    }
}

fn main() {}
