//! Nodes: and counts as an error.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 2) {
            attempt(100ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = Charge::run(async |cx| {
        if cx.number() == 1 {
            tokio::time::sleep(std::time::Duration::from_secs(9)).await;
        }
        Ok::<_, Error>(cx.number())
    })
    .await;
    assert_eq!(value.unwrap(), 2);
}
