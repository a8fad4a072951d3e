//! Functions: `calls` names plans.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, calls())]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
