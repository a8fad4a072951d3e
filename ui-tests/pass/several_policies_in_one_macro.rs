//! Forms: each is a type.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    /// One.
    struct Charge {
        attempt(500ms)
    }

    /// Two.
    struct Refund {
        attempts = 3, attempt = 500ms
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
    assert_eq!(Refund::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
