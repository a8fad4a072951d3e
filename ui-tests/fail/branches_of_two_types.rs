//! Types: whoever wins, the value is of one type.
use std::io::Error;

use retry_plan::retry_policy;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let value = retry_policy! {
        type Error = Error;
        fallback {
            near: attempt(200ms) async |_| Ok(7_u32),
            far: attempt(200ms) async |_| Ok("seven"),
        }
    }
    .await;
    drop(value);
}
