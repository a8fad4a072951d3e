//! Functions: a function is one operation.
use std::io::Error;

use retry_plan::retry;

#[retry(race { near: attempt(200ms), far: attempt(200ms) })]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
