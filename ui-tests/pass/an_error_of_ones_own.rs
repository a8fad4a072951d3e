//! Hygiene: comes from `Interrupted`.
use std::io::Error;

use retry_plan::{Interrupted, retry_policy};

#[derive(Debug)]
struct Failed;

impl From<Interrupted> for Failed {
    fn from(_: Interrupted) -> Self {
        Self
    }
}

retry_policy! {
    struct Charge {
        retry(attempts = 3) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = Charge::run(async |_| Ok::<_, Failed>(7)).await;
    assert_eq!(value.map_err(|_| Error::other("no")).unwrap(), 7);
}
