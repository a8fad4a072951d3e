//! Functions: tell all of an attribute's mistakes at once.
use std::io::Error;

use retry_plan::retry;

#[retry(atempts = 3, attempt = 500, contxt = cx)]
async fn ask(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(ask("seven"));
}
