//! Branches that are out together: a chain of futures in one place, polled in order by one task.
//!
//! The chain is `Branch<A, Branch<B, NoMore>>`, so that any number of branches of different types needs no heap and no
//! `unsafe`; its values nest the same way, `(a, (b, ()))`.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

pin_project! {
    /// One branch and the ones after it.
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Branch<F, T, R> {
        #[pin]
        out: Out<F, T>,
        #[pin]
        pub(crate) rest: R,
    }
}

pin_project! {
    /// What is still out, or what has come back, in the same place.
    #[project = Projected]
    #[derive(Debug)]
    enum Out<F, T> {
        Running { #[pin] future: F },
        Ended { value: Option<T> },
    }
}

/// The end of a chain.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMore;

impl<F, T, E, R> Branch<F, T, R>
where
    F: Future<Output = Result<T, E>>,
{
    /// `future` before `rest`.
    #[inline]
    pub const fn new(future: F, rest: R) -> Self {
        Self {
            out: Out::Running { future },
            rest,
        }
    }

    /// Polls this branch, if it is still out; its place is empty once it has ended.
    #[inline]
    pub(crate) fn poll_own(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Option<Poll<F::Output>> {
        let mut this = self.project();
        let Projected::Running { future } = this.out.as_mut().project() else {
            return None;
        };
        let polled = future.poll(cx);
        if polled.is_ready() {
            this.out.set(Out::Ended { value: None });
        }
        Some(polled)
    }
}

impl<F, T, R> Branch<F, T, R> {
    /// Keeps the value until all have ended.
    #[inline]
    pub(crate) fn keep(self: Pin<&mut Self>, value: T) {
        self.project().out.set(Out::Ended { value: Some(value) });
    }

    /// The value that was kept.
    #[inline]
    pub(crate) fn take(self: Pin<&mut Self>) -> Option<T> {
        match self.project().out.project() {
            Projected::Ended { value } => value.take(),
            Projected::Running { .. } => None,
        }
    }

    /// Whether it has ended.
    #[inline]
    pub(crate) const fn is_back(&self) -> bool {
        matches!(self.out, Out::Ended { .. })
    }

    /// Drops what is still out, and what was kept.
    #[inline]
    pub(crate) fn clear_own(self: Pin<&mut Self>) {
        self.project().out.set(Out::Ended { value: None });
    }

    /// The ones after it.
    #[inline]
    pub(crate) fn rest(self: Pin<&mut Self>) -> Pin<&mut R> {
        self.project().rest
    }
}
