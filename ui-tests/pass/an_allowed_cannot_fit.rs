//! Levels: compiles.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(cannot_fit, reason = "this is what the case shows")]
        timeout(2s) {
            retry(attempts = 4, backoff = exponential(100ms, factor = 2), jitter = none) {
                attempt(800ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
