//! Functions: with `&self` and `&mut self`.
use std::io::Error;

use retry_plan::retry;

struct Client {
    calls: u32,
}

impl Client {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn look(&self) -> Result<u32, Error> {
        Ok(self.calls)
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn call(&mut self) -> Result<u32, Error> {
        self.calls += 1;
        if self.calls < 3 { Err(Error::other("not yet")) } else { Ok(self.calls) }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut client = Client { calls: 0 };
    assert_eq!(client.call().await.unwrap(), 3);
    assert_eq!(client.look().await.unwrap(), 3);
}
