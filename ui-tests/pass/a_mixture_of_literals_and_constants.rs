//! Values: stand beside each other in one tree.
use std::io::Error;
use std::time::Duration;

use retry_plan::{Budget, retry_policy};

mod limits {
    use std::time::Duration;

    pub(super) const WHOLE: Duration = Duration::from_secs(2);

    pub(super) const fn bound(share: u32) -> Duration {
        Duration::from_millis(400 / share as u64)
    }
}

const TRIES: u32 = 3;
const IDEMPOTENT: bool = true;
static PAYMENTS: Budget = Budget::aws();

retry_policy! {
    struct Charge {
        deadline(limits::WHOLE) {
            allowance(PAYMENTS = { TRIES + 1 }) {
                retry(attempts = TRIES, backoff = exponential(50ms, factor = 2, max = { limits::WHOLE.saturating_sub(Duration::from_secs(1)) }), budget = PAYMENTS) {
                    attempt(limits::bound(2), takes = 10ms..=limits::bound(1), idempotent = IDEMPOTENT)
                }
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::PLAN.worst(), Some(Duration::from_millis(3 * 200 + 50 + 100)));
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
