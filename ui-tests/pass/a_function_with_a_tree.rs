//! Functions: written as in a named policy.
use std::io::Error;

use retry_plan::retry;

#[retry(deadline(2s) { retry(attempts = 3) { attempt(500ms) } })]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(charge("seven").await.unwrap(), 5);
}
