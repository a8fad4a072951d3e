//! Functions: `context` takes one name.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, context = cx more)]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len() + cx.number() as usize)
}

fn main() {
    drop(charge("a"));
}
