//! Functions: the least policy has one finding.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3)]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
