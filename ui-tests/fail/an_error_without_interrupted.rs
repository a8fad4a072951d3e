//! Types: a limit can end the run, and the error can't say so.
use retry_plan::retry_policy;

#[derive(Debug)]
struct Declined;

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 3) {
                attempt(500ms)
            }
        }
    }
}

async fn charge() -> Result<u32, Declined> {
    Charge::run(async |_| Err(Declined)).await
}

fn main() {
    let _charge = charge();
}
