//! Forms: takes its values from its parameter.
use std::io::Error;

use std::time::Duration;

use retry_plan::retry_policy;

trait Limits {
    const BOUND: Duration;
}

struct Slow;

impl Limits for Slow {
    const BOUND: Duration = Duration::from_millis(500);
}

retry_policy! {
    struct Charge<T: Limits> {
        retry(attempts = 3) {
            attempt(T::BOUND)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::<Slow>::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
