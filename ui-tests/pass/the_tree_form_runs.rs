//! Forms: code stands in its leaves, earlier steps are bindings.
use std::io::Error;

use retry_plan::retry_policy;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let page = retry_policy! {
        type Error = Error;
        deadline(1s) {
            series {
                user: attempt(200ms) async |_| { Ok(3) },
                orders: retry(attempts = 2) { attempt(200ms) async |_| { Ok(user + 4) } },
            }
        }
    }
    .await;
    let (user, orders) = page.map(|page| (page.user, page.orders)).unwrap();
    assert_eq!((user, orders), (3, 7));
}
