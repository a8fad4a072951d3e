//! Units: `1min30s` is `90s`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1min30s) {
            attempt
        }
    }
}

fn main() {}
