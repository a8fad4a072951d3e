//! Nodes: nests.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            parallel {
                page: fallback {
                    fresh: attempt(200ms),
                    stored: attempt(50ms),
                },
                user: attempt(200ms),
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let ChargeOutput { page, user } = Charge::new()
        .fresh(async |_| Err::<u32, _>(Error::other("down")))
        .stored(async |_| Ok::<_, Error>(3))
        .user(async |_| Ok::<_, Error>("me"))
        .run()
        .await
        .unwrap();
    assert_eq!((page, user), (3, "me"));
}
