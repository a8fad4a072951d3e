//! Functions: `clone` names one of the function's.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, clone(basket))]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
