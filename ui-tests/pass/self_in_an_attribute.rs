//! Values: is judged where the function is.
use std::io::Error;

use std::time::Duration;

use retry_plan::retry;

struct Client;

impl Client {
    const RUN: Duration = Duration::from_secs(2);

    #[retry(attempts = 2, attempt = 500ms, deadline = Self::RUN)]
    async fn charge(&self) -> Result<u32, Error> {
        Ok(7)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Client.charge().await.unwrap(), 7);
}
