//! Functions: need an error that can say that a limit ended the run.
use retry_plan::retry;

#[derive(Debug)]
struct ChargeError;

#[retry(attempts = 3, attempt = 500ms)]
async fn charge() -> Result<u32, ChargeError> {
    Ok(7)
}

fn main() {
    drop(charge());
}
