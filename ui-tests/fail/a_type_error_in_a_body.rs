//! Functions: is rustc's own, and the only one.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms)]
async fn charge() -> Result<u32, Error> {
    let receipt: u32 = "42";
    Ok(receipt)
}

fn main() {
    let _charge = charge();
}
