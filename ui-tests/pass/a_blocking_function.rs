//! Functions: is retried on the thread's own clock.
use std::io::Error;

use retry_plan::retry;

#[retry(attempts = 3, backoff = fixed(1ms), jitter = full)]
#[allow(unbounded, reason = "a file answers")]
fn charge(calls: &mut u32) -> Result<u32, Error> {
    *calls += 1;
    if *calls < 3 { Err(Error::other("not yet")) } else { Ok(*calls) }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut calls = 0;
    assert_eq!(charge(&mut calls).unwrap(), 3);
}
