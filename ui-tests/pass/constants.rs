//! Values: stand wherever a value may.
use std::io::Error;

use std::time::Duration;

use retry_plan::retry_policy;

const LIMIT: Duration = Duration::from_secs(9);
const TRIES: u32 = 3;
const FIRST: Duration = Duration::from_millis(10);
const CAP: Duration = Duration::from_millis(15);

const fn bound(tenths: u64) -> Duration {
    Duration::from_millis(100 * tenths)
}

retry_policy! {
    struct Charge {
        deadline(LIMIT) {
            retry(attempts = TRIES, backoff = exponential(FIRST, max = { CAP }), jitter = full) {
                attempt(bound(2))
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let calls = AtomicU32::new(0);
    let value = Charge::run(async |_| match calls.fetch_add(1, Ordering::Relaxed) {
        2 => Ok(7),
        _ => Err(Error::other("not yet")),
    })
    .await;
    assert_eq!((value.unwrap(), calls.into_inner()), (7, 3));
}
