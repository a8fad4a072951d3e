//! Words: the levels are four.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            #[forbid(cannot_fit)]
            attempt(200ms)
        }
    }
}

fn main() {}
