//! Levels: so nothing is refused.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 2) {
            attempt(200ms, idempotent = false, idempotency_key)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = Charge::run(async |cx| Ok::<_, Error>(cx.idempotency_key().is_some())).await;
    assert!(value.unwrap());
}
