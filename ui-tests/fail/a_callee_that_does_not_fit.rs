//! Calls: are told of an attempt that is too short for what it calls.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 2, attempt = 500ms, calls(pay::CHARGE_PLAN))]
async fn checkout(order: u32) -> Result<u32, Error> {
    pay::charge(order).await
}

fn main() {
    drop(checkout(7));
}
