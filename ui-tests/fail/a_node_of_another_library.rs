//! Words: `join` is `parallel`.
use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        join {
            user: attempt(200ms),
            orders: attempt(200ms),
        }
    }
}

fn main() {}
