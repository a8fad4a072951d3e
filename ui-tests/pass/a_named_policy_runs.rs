//! Forms: `run` gives the operation's own result.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 3) {
                attempt(500ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
