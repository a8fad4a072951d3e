//! Forms: one error while typing.
use std::io::Error;

use retry_plan::retry_policy;

async fn charge() -> Result<u32, Error> {
    retry_policy! {
        type Error = Error;
    }
    .await
}

fn main() {
    drop(charge());
}
