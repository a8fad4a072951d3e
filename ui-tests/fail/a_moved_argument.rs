//! Functions: the second attempt has none; `clone(order)` gives each its own.
use std::io::Error;

use retry_plan::retry;

struct Order;

async fn send(_: Order) -> Result<u32, Error> {
    Ok(1)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn charge(order: Order) -> Result<u32, Error> {
    let receipt = send(order).await?;
    Ok(receipt)
}

fn main() {
    let _charge = charge(Order);
}
