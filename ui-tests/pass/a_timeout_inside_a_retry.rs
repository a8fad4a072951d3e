//! Nodes: is retried.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 2) {
            timeout(200ms) {
                retry(attempts = 2, backoff = fixed(10ms), jitter = full) {
                    attempt(90ms)
                }
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
