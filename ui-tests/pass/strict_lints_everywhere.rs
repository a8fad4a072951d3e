//! Hygiene: stay silent in the user's crate, with constants, several leaves, in place and on functions.
#![deny(warnings, unused, missing_docs, unreachable_pub, single_use_lifetimes, unused_qualifications)]
#![deny(missing_debug_implementations, elided_lifetimes_in_paths, trivial_casts, let_underscore_drop)]

//! A user's crate.

use std::io::Error;
use std::time::Duration;

use retry_plan::{retry, retry_policy};

const LIMIT: Duration = Duration::from_secs(2);

retry_policy! {
    struct Charge {
        deadline(LIMIT) {
            retry(attempts = 3, backoff = fixed(100ms), jitter = full) {
                attempt(500ms)
            }
        }
    }

    struct LoadPage {
        deadline(1s) {
            series {
                profile: retry(attempts = 2) { attempt(200ms) },
                orders: race {
                    near: hedge(after = 10ms, copies = 2) { attempt(200ms) },
                    far: attempt({ Duration::from_millis(200) }),
                },
            }
        }
    }
}

#[retry(attempts = 3, attempt = LIMIT, clone(order))]
async fn charge(order: String) -> Result<usize, Error> {
    let order = order;
    Ok(order.len())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
    assert_eq!(charge("seven".to_owned()).await.unwrap(), 5);
    let page = LoadPage::new()
        .profile(async |_| Ok::<_, Error>(3))
        .near(async |_| Ok(4))
        .far(async |_| Ok(5))
        .run()
        .await
        .unwrap();
    assert_eq!(page.profile, 3);
    let value = retry_policy!(attempts = 3, attempt = LIMIT, async |_| Ok::<_, Error>(7)).await;
    assert_eq!(value.unwrap(), 7);
}
