//! Levels: to rustc.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            #[allow(unused, clippy::all, reason = "foreign")]
            attempt(200ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
