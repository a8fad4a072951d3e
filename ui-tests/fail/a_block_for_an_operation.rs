//! In place: is no closure.
use retry_plan::retry_policy;

async fn fetch() -> Result<u32, std::io::Error> {
    Ok(1)
}

async fn page() -> Result<u32, std::io::Error> {
    retry_policy! { deadline(1s) { attempt(200ms) { fetch().await } } }.await
}

fn main() {
    drop(page());
}
