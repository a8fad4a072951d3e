//! Nodes: while the first copy is still out.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        hedge(after = 80ms, copies = 2) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = Charge::run(async |cx| {
        if cx.copy() == 1 {
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        }
        Ok::<_, Error>(cx.copy())
    })
    .await;
    assert_eq!(value.unwrap(), 2);
}
