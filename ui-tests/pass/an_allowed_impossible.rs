//! Levels: compiles.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(impossible, reason = "this is what the case shows")]
        timeout(100ms) {
            attempt(takes = 200ms..=300ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
