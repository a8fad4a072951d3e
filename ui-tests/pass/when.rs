//! Values: decides which errors are tried again.
use std::io::Error;

use std::io::ErrorKind;

use retry_plan::{Stop, retry_policy};

retry_policy! {
    struct Charge {
        type Error = Error;
        retry(attempts = 3, when = |error: &Error| error.kind() == ErrorKind::TimedOut) {
            attempt(200ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let failure = Charge::run_detailed(async |_| Err::<(), _>(Error::other("no"))).await.unwrap_err();
    assert_eq!((failure.stop, failure.attempts), (Stop::NotRetryable, 1));
}
