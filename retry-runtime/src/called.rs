//! `call(Policy)`: what a run tells the leaf around it when it fails.
//!
//! A call that fails because its own time is up is a timeout to its caller (rule 5), whatever error the operation makes of
//! it. The operation's type doesn't say so; a word of the thread does, from where the inner run ends to where the leaf
//! around it returns, which is the same poll.

use core::cell::Cell;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use crate::fall::Fell;

thread_local! {
    static LATE: Cell<bool> = const { Cell::new(false) };
}

/// A run has failed like this.
#[inline]
pub(crate) fn tell(fell: Fell) {
    set(matches!(fell, Fell::Deadline | Fell::TimedOut(_)));
}

/// What has been told and nobody has heard, for where an answer goes on elsewhere.
#[inline]
pub(crate) fn take() -> bool {
    LATE.take()
}

/// Tells it there.
#[inline]
pub(crate) fn set(late: bool) {
    LATE.set(late);
}

/// How a call has failed whose operation has just returned an error.
#[must_use]
#[inline]
pub fn fell() -> Fell {
    if take() { Fell::TIMED_OUT } else { Fell::FAILED }
}

/// The operation of a call: nothing that ended before it is polled is heard of.
#[inline]
pub const fn called<F: Future>(operation: F) -> Called<F> {
    Called { operation }
}

/// The same in a plain `fn`.
#[inline]
pub fn calling<R>(operation: impl FnOnce() -> R) -> R {
    set(false);
    operation()
}

pin_project! {
    /// The operation of a call; made by [`called`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Called<F> {
        #[pin]
        operation: F,
    }
}

impl<F: Future> Future for Called<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        calling(|| self.project().operation.poll(cx))
    }
}
