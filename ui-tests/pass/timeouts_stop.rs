//! Values: a timed-out attempt is the last.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3, timeouts = stop) {
            attempt(200ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let failure = Charge::run_detailed(async |_| -> Result<(), Error> { std::future::pending().await }).await.unwrap_err();
    assert_eq!(failure.attempts, 1);
}
