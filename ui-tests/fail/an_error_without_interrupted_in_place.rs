//! Types: in place, too, the error has to say that a limit ended the run.
use retry_plan::retry_policy;

#[derive(Debug)]
struct Declined;

async fn charge() -> Result<u32, Declined> {
    retry_policy!(attempts = 3, attempt = 500ms, async |_| Err(Declined)).await
}

fn main() {
    let _charge = charge();
}
