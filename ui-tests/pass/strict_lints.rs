//! Hygiene: stay silent in the user's crate.
#![deny(warnings, unused, clippy::all, clippy::pedantic, missing_docs, unreachable_pub, single_use_lifetimes)]

use std::io::Error;

use retry_plan::{retry, retry_policy};

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 3) {
                attempt(500ms)
            }
        }
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn charge(order: &str) -> Result<usize, Error> {
    Ok(order.len())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
    assert_eq!(charge("seven").await.unwrap(), 5);
}
