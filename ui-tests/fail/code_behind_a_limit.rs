//! Structure: code stands behind an attempt.
use std::io::Error;

use retry_plan::retry_policy;

async fn charge() -> Result<u32, Error> {
    retry_policy! {
        deadline(1s) {
            attempt(200ms) async |_| Ok(7)
        } async |_| Ok(8)
    }
    .await
}

fn main() {
    drop(charge());
}
