//! Nodes: with its own clock.
use std::io::Error;

use retry_plan::retry_policy;

mod pay {
    retry_plan::retry_policy! {
        pub(crate) struct Inner {
            retry(attempts = 2) {
                attempt(100ms)
            }
        }
    }
}

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 2) {
                call(pay::Inner)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = Charge::run(async |_| pay::Inner::run(async |_| Ok::<_, Error>(7)).await).await;
    assert_eq!(value.unwrap(), 7);
}
