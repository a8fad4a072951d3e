//! Hygiene: nothing is taken from the prelude, in place and on functions.
#![no_implicit_prelude]

use ::std::io::Error;

use ::core::result::Result::{self, Ok};
use ::retry_plan::{retry, retry_policy};

#[retry(attempts = 3, attempt = 500ms, deadline = 2s)]
async fn charge(order: u32) -> Result<u32, Error> {
    Ok(order)
}

#[::tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let all = retry_policy! {
        type Error = Error;
        deadline(1s) {
            parallel {
                near: retry(attempts = 2) { attempt(200ms) async |_| Ok(3_u32) },
                far: hedge(after = 10ms, copies = 2) { attempt(200ms) async |_| Ok(4_u32) },
            }
        }
    };
    let all = match all.await {
        Ok(all) => all,
        Result::Err(error) => ::std::panic!("{error}"),
    };
    ::std::assert_eq!(all.near + all.far, 7);
    ::std::assert!(::std::matches!(charge(7).await, Ok(7)));
}
