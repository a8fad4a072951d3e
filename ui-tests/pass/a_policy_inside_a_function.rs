//! Forms: is an item like any other.
use std::io::Error;

use retry_plan::retry_policy;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    retry_policy! {
        struct Charge {
            retry(attempts = 3) {
                attempt(500ms)
            }
        }
    }
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
