//! Hygiene: are not taken for the standard ones.
use ::std::io::Error;

use retry_plan::retry_policy;

mod core {}
mod std {}
#[allow(dead_code)]
struct Result;
#[allow(dead_code)]
struct Option;
#[allow(dead_code, non_snake_case)]
fn Some() {}

retry_policy! {
    struct Charge {
        deadline(2s) {
            retry(attempts = 3) {
                attempt(500ms)
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Charge::run(async |_| Ok::<_, Error>(7)).await.unwrap(), 7);
}
