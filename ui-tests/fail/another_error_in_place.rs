//! Forms: an operation that only waits for what fails with another error is told so where it stands, once.
use std::fmt;
use std::io::Error;

use retry_plan::retry_policy;

async fn load() -> Result<u32, Error> {
    Ok(7)
}

async fn page() -> Result<u32, fmt::Error> {
    retry_policy! {
        type Error = fmt::Error;
        retry(attempts = 3, backoff = none) {
            attempt(takes = 500ms) async |_| load().await
        }
    }
    .await
}

fn main() {
    drop(page());
}
