//! Nodes: nests.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        fallback {
            fresh: parallel {
                left: attempt(200ms),
                right: attempt(200ms),
            },
            stored: attempt(50ms),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let _ = Charge::POLICY;
    let _ = Error::other("unused");
}
