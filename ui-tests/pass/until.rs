//! Values: tries again while the value isn't there yet.
use std::io::Error;

use retry_plan::retry_policy;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut calls = 0;
    let value = retry_policy! {
        type Error = Error;
        retry(attempts = 3, until = |value: &u32| *value == 3) { attempt(200ms) async |_| { calls += 1; Ok(calls) } }
    }
    .await;
    assert_eq!(value.unwrap(), 3);
}
