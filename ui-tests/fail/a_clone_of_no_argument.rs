//! Functions: clone the arguments that they have.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, clone(ordr, self))]
async fn ask(order: String) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(ask(String::new()));
}
