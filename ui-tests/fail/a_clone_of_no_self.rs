//! Functions: clone `self` where there is one.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, clone(self))]
async fn ask(order: String) -> Result<usize, Error> {
    Ok(order.len())
}

fn main() {
    drop(ask(String::new()));
}
