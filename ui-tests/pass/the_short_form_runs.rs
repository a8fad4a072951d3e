//! Forms: an expression, with the operation last.
use std::io::Error;

use retry_plan::retry_policy;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = retry_policy!(attempts = 3, attempt = 500ms, deadline = 2s, async |_| Ok::<_, Error>(7)).await;
    assert_eq!(value.unwrap(), 7);
}
