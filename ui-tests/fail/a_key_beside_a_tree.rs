//! Functions: stands on its node.
use retry_plan::retry;

#[retry(deadline(1s) { attempt(200ms) }, when = |_| true)]
async fn charge(order: &str) -> Result<usize, std::io::Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
