//! Functions: of the function.
use std::io::Error;

use std::sync::atomic::{AtomicU32, Ordering};

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, when = |_| again)]
async fn charge(again: bool, calls: &AtomicU32) -> Result<(), Error> {
    calls.fetch_add(1, Ordering::Relaxed);
    Err(Error::other("no"))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let calls = AtomicU32::new(0);
    charge(false, &calls).await.unwrap_err();
    assert_eq!(calls.into_inner(), 1);
}
