//! Hygiene: are not taken for the standard ones, in several leaves, in place and on functions.
#![allow(dead_code, non_snake_case)]

use ::std::io::Error;
use ::std::time::Duration;

use retry_plan::{retry, retry_policy};

mod core {}
mod std {}
mod tokio_time {}
struct Option;
struct Send;
struct Sized;
struct Future;
struct FnMut;
struct Fn;
struct From;
struct Clone;
struct Default;
const LIMIT: Duration = Duration::from_secs(1);

fn Some() {}
fn None() {}
fn drop() {}

retry_policy! {
    struct LoadPage {
        deadline(LIMIT) {
            parallel {
                profile: retry(attempts = 2) { attempt(200ms) },
                orders: hedge(after = 10ms, copies = 2) { attempt(200ms) },
            }
        }
    }
}

#[retry(attempts = 3, attempt = 500ms, deadline = 2s, clone(order))]
async fn charge(order: String) -> Result<usize, Error> {
    let order = order;
    Ok(order.len())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let page = LoadPage::new()
        .profile(async |_| Ok::<_, Error>(3))
        .orders(async |_| Ok::<_, Error>(4))
        .run()
        .await
        .unwrap();
    assert_eq!(page.profile + page.orders, 7);
    assert_eq!(charge("seven".to_owned()).await.unwrap(), 5);
    let value = retry_policy!(attempts = 3, attempt = 500ms, async |_| Ok::<_, Error>(7)).await;
    assert_eq!(value.unwrap(), 7);
}
