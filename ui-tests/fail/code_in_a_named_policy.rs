//! Structure: is given where it runs.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        attempt(200ms) async |cx| fetch(cx).await
    }
}

fn main() {}
