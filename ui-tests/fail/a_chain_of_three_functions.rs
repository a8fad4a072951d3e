//! Calls: multiply along the functions that call each other, also across crates.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 4, calls(pay::ORDER_PLAN))]
async fn checkout(order: u32) -> Result<u32, Error> {
    pay::order(order).await
}

fn main() {
    drop(checkout(7));
}
