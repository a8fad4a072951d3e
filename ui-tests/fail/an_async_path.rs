//! Forms: `async` stands before a closure.
use std::io::Error;

use retry_plan::retry_policy;

async fn fetch(_: retry_plan::Attempt) -> Result<u32, Error> {
    Ok(7)
}

async fn charge() -> Result<u32, Error> {
    retry_policy!(attempts = 3, attempt = 500ms, async fetch).await
}

fn main() {
    drop(charge());
}
