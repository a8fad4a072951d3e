//! Structure: a policy in place holds its code.
use std::io::Error;

use retry_plan::retry_policy;

async fn charge() -> Result<u32, Error> {
    retry_policy! {
        deadline(1s) {
            attempt(200ms)
        }
    }
    .await
}

fn main() {
    drop(charge());
}
