//! Values: end with the deadline.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            retry(attempts = unlimited, backoff = fixed(10ms), jitter = full) {
                attempt(200ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let calls = AtomicU32::new(0);
    let value = Charge::run(async |_| match calls.fetch_add(1, Ordering::Relaxed) {
        6 => Ok(7),
        _ => Err(Error::other("not yet")),
    })
    .await;
    assert_eq!((value.unwrap(), calls.into_inner()), (7, 7));
}
