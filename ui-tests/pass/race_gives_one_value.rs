//! Nodes: the first that succeeds.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        race {
            near: attempt(200ms),
            far: attempt(200ms),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = Charge::new()
        .near(async |_| Err::<u32, _>(Error::other("down")))
        .far(async |_| Ok::<_, Error>(7))
        .run()
        .await;
    assert_eq!(value.unwrap(), 7);
}
