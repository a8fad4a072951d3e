//! Levels: compiles.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        #[allow(never_fires, reason = "this is what the case shows")]
        timeout(2s) {
            timeout(3s) {
                attempt
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = (Charge::POLICY, Error::other("unused"));
}
