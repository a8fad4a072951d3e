//! Functions: leave a borrow error in a body where it is without the attribute.
use std::io::Error;

use retry_plan::retry;

async fn plain(orders: &[String]) -> Result<usize, Error> {
    let mut own = orders.to_vec();
    let first = &own[0];
    own.clear();
    Ok(first.len())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn retried(orders: &[String]) -> Result<usize, Error> {
    let mut own = orders.to_vec();
    let first = &own[0];
    own.clear();
    Ok(first.len())
}

fn main() {
    drop((plain(&[]), retried(&[])));
}
