//! Functions: `context = cx` binds the attempt.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, context = cx)]
async fn charge() -> Result<u32, Error> {
    if cx.is_last() { Ok(cx.number()) } else { Err(Error::other("not yet")) }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(charge().await.unwrap(), 3);
}
