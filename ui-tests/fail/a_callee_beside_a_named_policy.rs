//! Findings: are told of what is called under a named policy.
use std::io::Error;

use retry_plan::{retry, retry_policy};

retry_policy! {
    struct Often { retry(attempts = 5, backoff = exponential(10ms, max = 80ms)) { attempt(5s) } }
}

#[retry(Often, calls(pay::CHARGE_PLAN))]
async fn checkout(order: u32) -> Result<u32, Error> {
    pay::charge(order).await
}

fn main() {
    drop(checkout(7));
}
