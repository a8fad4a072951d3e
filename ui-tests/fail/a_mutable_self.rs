//! Functions: would show each attempt what the one before did to a `mut self`.
use std::io::Error;

use retry_plan::retry;

struct Client(Vec<u32>);

impl Client {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn ask(mut self) -> Result<usize, Error> {
        self.0.push(7);
        Ok(self.0.len())
    }
}

fn main() {
    drop(Client(Vec::new()).ask());
}
