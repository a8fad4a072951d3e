//! Functions: needs one.
use retry_plan::retry;

#[retry()]
async fn charge(order: &str) -> Result<usize, std::io::Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
