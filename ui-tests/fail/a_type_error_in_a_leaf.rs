//! Forms: is rustc's own, and the only one.
use std::io::Error;

use retry_plan::retry_policy;

async fn load() -> Result<u32, Error> {
    let page = retry_policy! {
        type Error = Error;
        deadline(1s) {
            series {
                user: attempt(200ms) async |_| Ok(7_u32),
                orders: attempt(200ms) async |_| { let count: u32 = "42"; Ok(user + count) },
            }
        }
    };
    Ok(page.await?.orders)
}

fn main() {
    let _load = load();
}
