//! Forms: `run_detailed` keeps the last error.
use std::io::Error;

use retry_plan::{Stop, retry_policy};

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let failure = Charge::run_detailed(async |_| Err::<u8, _>(Error::other("no"))).await.unwrap_err();
    assert_eq!((failure.stop, failure.attempts), (Stop::Exhausted, 3));
    assert_eq!(failure.last.unwrap().to_string(), "no");
}
