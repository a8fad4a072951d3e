//! Functions: is fresh in each attempt.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, context = cx)]
async fn charge(mut count: u32) -> Result<u32, Error> {
    count += 1;
    if cx.is_last() { Ok(count) } else { Err(Error::other("not yet")) }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(charge(6).await.unwrap(), 7);
}
