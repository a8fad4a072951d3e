//! Forms: several leaves, with the error of its parameter.
use std::io;
use std::time::Duration;

use retry_plan::{FromInterrupted, retry_policy};

trait Shop {
    type Error: FromInterrupted;
    const LIMIT: Duration;
}

struct Books;

impl Shop for Books {
    type Error = io::Error;
    const LIMIT: Duration = Duration::from_secs(1);
}

retry_policy! {
    struct LoadPage<S: Shop> {
        type Error = S::Error;
        deadline(S::LIMIT) {
            parallel {
                profile: retry(attempts = 2) { attempt(200ms) },
                orders: attempt(300ms),
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let page = LoadPage::<Books>::new()
        .profile(async |_| Ok(3))
        .orders(async |_| Ok(4))
        .run()
        .await
        .unwrap();
    assert_eq!((page.profile, page.orders), (3, 4));
}
