//! Types: `orders` has no operation, and `run` says so.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct LoadPage {
        deadline(1s) {
            parallel {
                profile: attempt(200ms),
                orders: attempt(200ms),
            }
        }
    }
}

async fn load() -> Result<u32, Error> {
    let page = LoadPage::new().profile(async |_| Ok::<u32, Error>(1)).run().await?;
    Ok(page.profile)
}

fn main() {
    let _load = load();
}
