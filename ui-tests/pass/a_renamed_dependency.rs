//! Forms: `crate = path` serves it.
use std::io::Error;

use deps::again::retry_policy;

mod deps {
    pub(crate) use retry_plan as again;
}

retry_policy! {
    struct Charge {
        crate = crate::deps::again;
        retry(attempts = 3) {
            attempt(500ms)
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
