//! Functions: are one operation.
use std::io::Error;

use retry_plan::retry;

#[retry(deadline(1s) { series { a: attempt(200ms), b: attempt(300ms) } })]
async fn ask() -> Result<u32, Error> {
    Ok(7)
}

fn main() {
    drop(ask());
}
