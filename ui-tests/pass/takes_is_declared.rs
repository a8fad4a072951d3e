//! Nodes: planned with, and not enforced.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 2) {
                attempt(takes = 50ms..=500ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
