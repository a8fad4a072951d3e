//! Hygiene: is a name like any other.
use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    struct Charge {
        race {
            r#type: attempt(200ms),
            far: attempt(200ms),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let value = Charge::new().r#type(async |_| Ok::<_, Error>(7)).far(async |_| Ok::<_, Error>(8)).run().await;
    assert_eq!(value.unwrap(), 7);
}
