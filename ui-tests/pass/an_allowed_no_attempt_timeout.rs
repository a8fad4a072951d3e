//! Levels: compiles.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(no_attempt_timeout, reason = "this is what the case shows")]
        deadline(2s) {
            retry(attempts = 3) {
                attempt
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
