//! Types: `when` says yes or no, or fails; one sentence says so.

use retry_plan::retry_policy;

async fn fetch() -> Result<u8, std::io::Error> {
    Ok(1)
}

#[tokio::main]
async fn main() {
    let run = retry_policy!(attempts = 3, attempt = 500ms, when = |error| 503, async |_| fetch().await);
    run.await.unwrap();
}
