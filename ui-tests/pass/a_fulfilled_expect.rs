//! Levels: is silent.
#![deny(warnings)]

use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[expect(cannot_fit, reason = "the provider is slow")]
        timeout(2s) {
            retry(attempts = 4) {
                attempt(800ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
