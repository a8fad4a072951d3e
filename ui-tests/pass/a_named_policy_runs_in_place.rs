//! Forms: with a mutating operation.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut seen = 0;
    let value = retry_policy!(Charge, async |_| {
        seen += 1;
        if seen < 3 { Err(Error::other("not yet")) } else { Ok(seen) }
    })
    .await;
    assert_eq!(value.unwrap(), 3);
}
