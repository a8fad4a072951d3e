//! Functions: warn of an unused variable in a body where it is without the attribute.
#![deny(unused)]

use std::io::Error;

use retry_plan::retry;

async fn plain(order: &str) -> Result<u32, Error> {
    let length = order.len();
    Ok(7)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn retried(order: &str) -> Result<u32, Error> {
    let length = order.len();
    Ok(7)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn unused(order: &str, count: u32) -> Result<(), Error> {
    Ok(())
}

fn main() {
    drop((plain("seven"), retried("seven"), unused("seven", 7)));
}
