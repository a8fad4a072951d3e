//! Findings: know nothing of a call that isn't declared.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 4, attempt = 5s, export = CHECKOUT_PLAN)]
async fn checkout(order: u32) -> Result<u32, Error> {
    pay::order(order).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(CHECKOUT_PLAN.calls(), Some(4));
    assert_eq!(checkout(7).await.unwrap(), 7);
}
