//! Functions: tell of a missing `await` in a body where it is without the attribute.
use std::io::Error;

use retry_plan::retry;

async fn ask() -> Result<u32, Error> {
    Ok(7)
}

async fn plain() -> Result<u32, Error> {
    let answer = ask()?;
    Ok(answer)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn retried() -> Result<u32, Error> {
    let answer = ask()?;
    Ok(answer)
}

fn main() {
    drop((plain(), retried()));
}
