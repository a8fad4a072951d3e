//! Forms: with the keys of `hedge`.
use std::io::Error;

use retry_plan::retry_policy;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = retry_policy!(attempt = 500ms, after = 80ms, copies = 2, async |_| Ok::<_, Error>(7)).await;
    assert_eq!(value.unwrap(), 7);
}
