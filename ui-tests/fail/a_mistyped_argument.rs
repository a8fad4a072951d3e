//! Words: did you mean?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(atempts = 3) {
            attempt(200ms)
        }
    }
}

fn main() {}
