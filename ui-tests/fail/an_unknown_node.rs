//! Words: the nodes are listed.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        wibble(1s) {
            attempt(200ms)
        }
    }
}

fn main() {}
