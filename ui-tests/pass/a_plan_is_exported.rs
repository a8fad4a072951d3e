//! Functions: as a constant with the function's visibility.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, export = CHARGE_PLAN)]
async fn charge() -> Result<u32, Error> {
    Ok(7)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(CHARGE_PLAN.calls(), Some(3));
    assert_eq!(charge().await.unwrap(), 7);
}
