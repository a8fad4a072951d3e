//! Functions: may be unsafe.
use std::io::Error;
use std::sync::atomic::{AtomicU32, Ordering};

use retry_plan::retry;

#[retry(attempts = 3, attempt = 500ms, backoff = none)]
async unsafe fn ask(calls: *const AtomicU32) -> Result<u32, Error> {
    // Safety: the caller's pointer is valid.
    let calls = unsafe { &*calls };
    let call = calls.fetch_add(1, Ordering::Relaxed) + 1;
    if call < 3 { Err(Error::other("not yet")) } else { Ok(call) }
}

#[retry(attempts = 3, takes = 1ms, backoff = none)]
unsafe fn wait(calls: *const AtomicU32) -> Result<u32, Error> {
    // Safety: the caller's pointer is valid.
    let call = unsafe { (*calls).fetch_add(1, Ordering::Relaxed) } + 1;
    if call < 3 { Err(Error::other("not yet")) } else { Ok(call) }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let calls = AtomicU32::new(0);
    // Safety: it lives to the end.
    assert_eq!(unsafe { ask(&calls) }.await.unwrap(), 3);
    let calls = AtomicU32::new(0);
    // Safety: it lives to the end.
    assert_eq!(unsafe { wait(&calls) }.unwrap(), 3);
}
