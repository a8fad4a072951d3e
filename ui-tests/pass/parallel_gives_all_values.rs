//! Nodes: in a struct with a field for each.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        deadline(1s) {
            parallel {
                user: attempt(200ms),
                orders: retry(attempts = 2) {
                    attempt(200ms)
                },
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let ChargeOutput { user, orders } =
        Charge::new().user(async |_| Ok::<_, Error>(3)).orders(async |_| Ok::<_, Error>("four")).run().await.unwrap();
    assert_eq!((user, orders), (3, "four"));
}
