//! Findings: amplification along a chain, allowed.
use std::io::Error;

use retry_plan::{retry, retry_policy};

retry_policy! {
    struct Often { retry(attempts = 5, backoff = exponential(10ms, max = 80ms)) { attempt(5s) } }
}

#[allow(amplification, reason = "the shop is closed at night")]
#[retry(attempts = 4, calls(pay::ORDER_PLAN), export = CHECKOUT_PLAN)]
async fn checkout(order: u32) -> Result<u32, Error> {
    pay::order(order).await
}

#[expect(amplification, reason = "the shop is closed at night")]
#[retry(Often, calls(pay::CHARGE_PLAN), export = OFTEN_PLAN)]
async fn often(order: u32) -> Result<u32, Error> {
    pay::charge(order).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(CHECKOUT_PLAN.calls(), Some(36));
    assert_eq!(OFTEN_PLAN.calls(), Some(15));
    assert_eq!(checkout(7).await.unwrap(), 7);
    assert_eq!(often(7).await.unwrap(), 7);
}
