//! Functions: a body that only waits, for what is no future, or for a value of another type, is told so where it waits.
use std::io::Error;

use retry_plan::retry;

fn at_once() -> Result<u32, Error> {
    Ok(7)
}

async fn length(order: &str) -> usize {
    order.len()
}

#[retry(attempts = 3, takes = 500ms)]
async fn no_future() -> Result<u32, Error> {
    at_once().await
}

#[retry(attempts = 3, takes = 500ms)]
async fn another_type(order: &str) -> Result<u32, Error> {
    length(order).await
}

fn main() {
    drop((no_future(), another_type("seven")));
}
