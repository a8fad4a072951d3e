//! Levels: compiles.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(unreachable, reason = "this is what the case shows")]
        timeout(600ms) {
            retry(attempts = 2, backoff = fixed(300ms), jitter = none) {
                attempt(takes = 400ms..=400ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
