//! Functions: is made by `interrupted`.
use std::io::Error;

use retry_plan::retry;

#[derive(Debug, PartialEq)]
struct Foreign(String);

#[retry(attempts = 2, attempt = 500ms, interrupted = |end| Foreign(end.to_string()))]
async fn charge() -> Result<u32, Foreign> {
    Ok(7)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(charge().await.map_err(|_| Error::other("no")).unwrap(), 7);
}
