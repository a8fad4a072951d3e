//! Words: the arguments are listed.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, colour = red) {
            attempt(200ms)
        }
    }
}

fn main() {}
