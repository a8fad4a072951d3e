//! Functions: nothing can cut off a thread.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
