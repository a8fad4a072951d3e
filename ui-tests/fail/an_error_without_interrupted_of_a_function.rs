//! Types: the error in a function's signature can't say that a limit ended the run.
use retry_plan::retry;

#[derive(Debug)]
struct Declined;

#[retry(attempts = 3, attempt = 500ms)]
async fn charge() -> Result<u32, Declined> {
    Err(Declined)
}

fn main() {
    let _charge = charge();
}
