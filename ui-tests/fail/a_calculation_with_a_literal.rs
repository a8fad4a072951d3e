//! Units: inside an expression a duration is a `Duration`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt({ 2 * 800ms })
    }
}

fn main() {}
