//! Nodes: and is enough here.
use std::io::Error;

use retry_plan::{Budget, retry_policy};

static PAYMENTS: Budget = Budget::ratio(0.1, 100);

retry_policy! {
    struct Charge {
        allowance(PAYMENTS = 2) {
            retry(attempts = 3, budget = PAYMENTS) {
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
        2 => Ok(7),
        _ => Err(Error::other("not yet")),
    })
    .await;
    assert_eq!((value.unwrap(), calls.into_inner()), (7, 3));
}
