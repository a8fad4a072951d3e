//! Functions: did you mean?
use retry_plan::retry;

#[retry(attempts = 3, attempt = 200ms, contxt = cx)]
async fn charge(order: &str) -> Result<usize, std::io::Error> {
    Ok(order.len())
}

fn main() {
    drop(charge("a"));
}
