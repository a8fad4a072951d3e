//! Functions: so does `return`.
use std::io::Error;

use std::sync::atomic::{AtomicU32, Ordering};

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
async fn charge(calls: &AtomicU32) -> Result<u32, Error> {
    let call = calls.fetch_add(1, Ordering::Relaxed);
    if call < 2 {
        return Err(Error::other("not yet"));
    }
    Ok(call)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let calls = AtomicU32::new(0);
    assert_eq!(charge(&calls).await.unwrap(), 2);
}
