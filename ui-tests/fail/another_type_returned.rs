//! Functions: leave the error of a value of another type at the value.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
async fn early(order: &str) -> Result<u32, Error> {
    if order.is_empty() {
        return 7;
    }
    Ok(7)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn at_the_end(order: &str) -> Result<u32, Error> {
    order.len()
}

fn main() {
    drop((early("seven"), at_the_end("seven")));
}
