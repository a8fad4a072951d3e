//! Types: an operation in place has to return something that tells success from failure; one sentence says so.

use retry_plan::retry_policy;

#[tokio::main]
async fn main() {
    let answer = retry_policy!(attempts = 3, attempt = 500ms, async |_| 42_u8).await;
}
