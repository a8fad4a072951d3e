//! Forms: is used from outside of its module.
use std::io::Error;



mod pay {
    use retry_plan::retry_policy;

    retry_policy! {
        /// A documented policy.
        pub(crate) struct Charge {
            attempt(500ms)
        }
    }
}

use pay::Charge;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
