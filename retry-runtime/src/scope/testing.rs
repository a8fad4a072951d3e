//! What tests of scopes need: a runtime on a paused clock.

use core::future::Future;

pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a current-thread runtime needs nothing")
        .block_on(future)
}
