//! Hygiene: what is forbidden stays forbidden, for the macros allow nothing of it.
#![forbid(unused, dead_code, unsafe_code, deprecated)]

use std::io::Error;
use std::time::Duration;

use retry_plan::retry_policy;

const WAIT: Duration = Duration::from_millis(100);

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fixed(WAIT), jitter = full) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
