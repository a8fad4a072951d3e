//! `parallel { … }`: all branches together; the first failure cancels the rest.

use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use crate::branch::{Branch, NoMore};
use crate::fall::Fall;

/// Waits for every branch of a chain; fails with the first failure, of two at one instant with the first in order.
#[inline]
pub const fn parallel<C: Together<E>, E>(branches: C) -> Parallel<C, E> {
    Parallel {
        branches,
        error: PhantomData,
    }
}

/// A chain of branches that all have to succeed.
pub trait Together<E> {
    /// The values of all branches.
    type Values;

    /// Polls what is still out, in order, up to the first failure; whether some are out yet.
    ///
    /// # Errors
    ///
    /// The first failure.
    fn poll_all(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Result<bool, Fall<E>>;

    /// The values, once all have succeeded.
    fn values(self: Pin<&mut Self>) -> Option<Self::Values>;

    /// Drops what is still out.
    fn clear(self: Pin<&mut Self>);
}

impl<E> Together<E> for NoMore {
    type Values = ();

    #[inline]
    fn poll_all(self: Pin<&mut Self>, _: &mut Context<'_>) -> Result<bool, Fall<E>> {
        Ok(false)
    }

    #[inline]
    fn values(self: Pin<&mut Self>) -> Option<()> {
        Some(())
    }

    #[inline]
    fn clear(self: Pin<&mut Self>) {}
}

impl<F, T, E, R> Together<E> for Branch<F, T, R>
where
    F: Future<Output = Result<T, Fall<E>>>,
    R: Together<E>,
{
    type Values = (T, R::Values);

    #[inline]
    fn poll_all(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Result<bool, Fall<E>> {
        let out = match self.as_mut().poll_own(cx) {
            Some(Poll::Ready(ended)) => {
                let value = ended?;
                self.as_mut().keep(value);
                false
            }
            Some(Poll::Pending) => true,
            None => false,
        };
        Ok(self.rest().poll_all(cx)? || out)
    }

    #[inline]
    fn values(mut self: Pin<&mut Self>) -> Option<Self::Values> {
        Some((self.as_mut().take()?, self.rest().values()?))
    }

    #[inline]
    fn clear(mut self: Pin<&mut Self>) {
        self.as_mut().clear_own();
        self.rest().clear();
    }
}

pin_project! {
    /// All branches together; made by [`parallel`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Parallel<C, E> {
        #[pin]
        branches: C,
        error: PhantomData<fn() -> E>,
    }
}

impl<C: Together<E>, E> Future for Parallel<C, E> {
    type Output = Result<C::Values, Fall<E>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut branches = self.project().branches;
        match branches.as_mut().poll_all(cx) {
            Ok(true) => Poll::Pending,
            Ok(false) => Poll::Ready(Ok(branches
                .values()
                .expect("a parallel is polled until it is ready"))),
            Err(fall) => {
                // The rest is dropped before the failure is told.
                branches.clear();
                Poll::Ready(Err(fall))
            }
        }
    }
}
