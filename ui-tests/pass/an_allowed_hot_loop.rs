//! Levels: compiles.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(hot_loop, reason = "this is what the case shows")]
        retry(attempts = 4, backoff = none) {
            attempt(200ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
