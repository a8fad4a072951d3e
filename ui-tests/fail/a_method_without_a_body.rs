//! Functions: need a body to run again.
use std::io::Error;

use retry_plan::retry;

trait Ask {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn ask(&self) -> Result<u32, Error>;
}

struct Client;

impl Ask for Client {
    async fn ask(&self) -> Result<u32, Error> {
        Ok(7)
    }
}

fn main() {
    drop(Client.ask());
}
