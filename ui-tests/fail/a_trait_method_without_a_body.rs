//! Functions: there is nothing to run again.
use std::io::Error;

use retry_plan::retry;

trait Charges {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn charge(&self) -> Result<u32, Error>;
}

fn main() {}
