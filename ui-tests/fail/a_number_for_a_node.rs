//! Structure: a node begins with a word.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        timeout(1s) {
            500ms
        }
    }
}

fn main() {}
