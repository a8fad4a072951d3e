//! Forms: one error while typing.
use std::io::Error;

use retry_plan::retry_policy;

async fn charge() -> Result<u32, Error> {
    retry_policy!(attempts = 3, attempt = 500ms, async |cx|).await
}

fn main() {
    drop(charge());
}
