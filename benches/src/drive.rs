//! Polls a future through `dyn`, so that no contestant is inlined into the loop that measures it.

use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::task::Context;

/// Polls until ready, without a runtime's scheduler around it; for operations that wake themselves or need no wake.
/// The value is dropped: who polls through `dyn` can't be optimised by what becomes of it.
#[inline]
pub fn poll_hidden<T>(future: Pin<&mut dyn Future<Output = T>>, cx: &mut Context<'_>) {
    let mut future = black_box(future);
    while future.as_mut().poll(cx).is_pending() {}
}

/// Awaits within a runtime's task; the scheduler and the timer driver take part.
pub async fn await_hidden<T>(future: Pin<&mut dyn Future<Output = T>>) {
    black_box(future).await;
}
