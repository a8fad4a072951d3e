//! Functions: `clone` names arguments.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, clone())]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
