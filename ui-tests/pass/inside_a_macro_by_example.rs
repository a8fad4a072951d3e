//! Hygiene: fragments are values.
use std::io::Error;

use std::time::Duration;

use retry_plan::retry_policy;

macro_rules! policy {
    ($name:ident, $tries:literal, $bound:expr) => {
        retry_policy! {
            struct $name {
                retry(attempts = $tries) {
                    attempt($bound)
                }
            }
        }
    };
}

const BOUND: Duration = Duration::from_millis(500);

policy!(Charge, 3, BOUND);

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
