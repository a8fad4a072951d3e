//! Levels: `allow`, `expect`, `warn` and `deny`, on the policy and on a node.
#![deny(warnings)]

use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    #[deny(no_jitter, no_cap)]
    #[allow(cannot_fit, reason = "the provider is slow, and three of four are enough")]
    struct Charge {
        timeout(2s) {
            #[expect(no_jitter, reason = "one client")]
            retry(attempts = 4, backoff = fixed(100ms)) {
                #[warn(never_fires)]
                attempt(800ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
