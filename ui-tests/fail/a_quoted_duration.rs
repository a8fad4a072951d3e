//! Units: strings are for other languages.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt("800ms")
    }
}

fn main() {}
