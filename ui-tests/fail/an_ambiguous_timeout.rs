//! In place: of each attempt, or of the run?
use retry_plan::retry_policy;

async fn fetch() -> Result<u32, std::io::Error> {
    Ok(1)
}

async fn page() -> Result<u32, std::io::Error> {
    retry_policy!(attempts = 3, timeout = 2s, async |_| fetch().await).await
}

fn main() {
    drop(page());
}
