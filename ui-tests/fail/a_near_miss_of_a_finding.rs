//! Words: did you mean?
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            #[allow(canot_fit)]
            attempt(200ms)
        }
    }
}

fn main() {}
