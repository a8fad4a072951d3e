//! Hygiene: nothing is taken from the prelude, in place and on functions.
#![no_implicit_prelude]

use ::std::io::Error;

use ::core::result::Result::{self, Ok};
use ::retry_plan::{retry, retry_policy};

#[retry(attempts = 3, attempt = 500ms, deadline = 2s)]
async fn charge(order: u32) -> Result<u32, Error> {
    Ok(order)
}

async fn load() -> Result<u32, Error> {
    let all = retry_policy! {
        type Error = Error;
        deadline(1s) {
            parallel {
                near: retry(attempts = 2) { attempt(200ms) async |_| Ok(3_u32) },
                far: hedge(after = 10ms, copies = 2) { attempt(200ms) async |_| Ok(4_u32) },
            }
        }
    };
    let all = all.await?;
    Ok(charge(all.near + all.far).await?)
}

fn main() {
    let runtime = ::tokio::runtime::Builder::new_current_thread().enable_time().build();
    let loaded = runtime.map(|runtime| runtime.block_on(load()));
    ::core::assert!(::core::matches!(loaded, Ok(Ok(7))));
}
