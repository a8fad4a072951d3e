//! Functions: above and below it.
use std::io::Error;

use retry_plan::retry;

#[allow(no_jitter, reason = "one client")]
#[retry(attempts = 3, attempt = 500ms, backoff = fixed(10ms))]
#[allow(clippy::needless_return, reason = "a foreign lint passes")]
async fn charge() -> Result<u32, Error> {
    return Ok(7);
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(charge().await.unwrap(), 7);
}
