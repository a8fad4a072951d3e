//! Functions: an attempt would see what the one before it changed.
use std::io::Error;

use retry_plan::retry;

struct Session {
    requests: u32,
}

impl Session {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn charge(mut self) -> Result<u32, Error> {
        self.requests += 1;
        Ok(self.requests)
    }
}

fn main() {
    let _charge = Session { requests: 0 }.charge();
}
