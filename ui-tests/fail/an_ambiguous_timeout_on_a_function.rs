//! Functions: of each attempt, or of the run?
use retry_plan::retry;

#[retry(attempts = 3, timeout = 2s)]
async fn charge(order: &str) -> Result<usize, std::io::Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
