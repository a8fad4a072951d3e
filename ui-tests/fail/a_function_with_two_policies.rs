//! Functions: has one.
use retry_plan::retry;

#[retry(Charge, Refund)]
async fn charge(order: &str) -> Result<usize, std::io::Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
