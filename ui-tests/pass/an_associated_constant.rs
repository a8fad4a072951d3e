//! Values: is a value too.
use std::io::Error;

use std::time::Duration;

use retry_plan::retry_policy;

struct Limits;

impl Limits {
    const RUN: Duration = Duration::from_secs(2);
}

retry_policy! {
    struct Charge {
        deadline(Limits::RUN) {
            attempt(200ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
