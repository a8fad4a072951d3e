//! Findings: are gone once the inner functions of a chain don't retry.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 4, calls(pay::once::ORDER_PLAN), export = CHECKOUT_PLAN)]
async fn checkout(order: u32) -> Result<u32, Error> {
    pay::once::order(order).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(CHECKOUT_PLAN.calls(), Some(4));
    assert_eq!(checkout(7).await.unwrap(), 7);
}
