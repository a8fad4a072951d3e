//! Functions: two copies can't both have it.
use std::io::Error;

use retry_plan::retry;

#[retry(after = 80ms, copies = 2, attempt = 300ms)]
async fn search(seen: &mut u32) -> Result<u32, Error> {
    *seen += 1;
    Ok(*seen)
}

fn main() {
    drop(search(&mut 0));
}
