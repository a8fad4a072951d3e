//! Levels: compiles.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(hedge_unsafe, reason = "this is what the case shows")]
        hedge(after = 80ms, copies = 2) {
            attempt(200ms, idempotent = false)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
