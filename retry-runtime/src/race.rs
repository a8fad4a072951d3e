//! `race { … }`: all branches together; the first success wins.

use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use crate::branch::{Branch, NoMore};
use crate::fall::Fall;

/// Waits for the first success of a chain; fails with the failure of the last to fail.
#[inline]
pub const fn race<C: Rivals<T, E>, T, E>(branches: C) -> Race<C, T, E> {
    Race {
        branches,
        lost: None,
        value: PhantomData,
    }
}

/// A chain of branches of which one has to succeed.
pub trait Rivals<T, E> {
    /// Polls what is still out, in order, up to the first success or to a limit around all of them, which it returns.
    ///
    /// Of those that fail at this instant, `lost` keeps the first in order (rule 2).
    fn poll_any(
        self: Pin<&mut Self>,
        lost: &mut Option<Fall<E>>,
        cx: &mut Context<'_>,
    ) -> Option<Result<T, Fall<E>>>;

    /// Whether all have failed.
    fn all_lost(&self) -> bool;

    /// Drops what is still out.
    fn clear(self: Pin<&mut Self>);
}

impl<T, E> Rivals<T, E> for NoMore {
    #[inline]
    fn poll_any(
        self: Pin<&mut Self>,
        _: &mut Option<Fall<E>>,
        _: &mut Context<'_>,
    ) -> Option<Result<T, Fall<E>>> {
        None
    }

    #[inline]
    fn all_lost(&self) -> bool {
        true
    }

    #[inline]
    fn clear(self: Pin<&mut Self>) {}
}

impl<F, T, E, R> Rivals<T, E> for Branch<F, T, R>
where
    F: Future<Output = Result<T, Fall<E>>>,
    R: Rivals<T, E>,
{
    #[inline]
    fn poll_any(
        mut self: Pin<&mut Self>,
        lost: &mut Option<Fall<E>>,
        cx: &mut Context<'_>,
    ) -> Option<Result<T, Fall<E>>> {
        match self.as_mut().poll_own(cx) {
            Some(Poll::Ready(Ok(value))) => return Some(Ok(value)),
            Some(Poll::Ready(Err(fall))) if fall.fell.unwinds() => return Some(Err(fall)),
            Some(Poll::Ready(Err(fall))) => {
                *lost = Some(match lost.take() {
                    Some(first) => first.after(Some(fall)),
                    None => fall,
                });
            }
            Some(Poll::Pending) | None => {}
        }
        self.rest().poll_any(lost, cx)
    }

    #[inline]
    fn all_lost(&self) -> bool {
        self.is_back() && self.rest.all_lost()
    }

    #[inline]
    fn clear(mut self: Pin<&mut Self>) {
        self.as_mut().clear_own();
        self.rest().clear();
    }
}

pin_project! {
    /// All branches together, one to win; made by [`race`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Race<C, T, E> {
        #[pin]
        branches: C,
        lost: Option<Fall<E>>,
        value: PhantomData<fn() -> T>,
    }
}

impl<C: Rivals<T, E>, T, E> Future for Race<C, T, E> {
    type Output = Result<T, Fall<E>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut branches = this.branches;
        let mut lost = None;
        if let Some(ended) = branches.as_mut().poll_any(&mut lost, cx) {
            // The losers are dropped before the result is told.
            branches.clear();
            return Poll::Ready(match ended {
                Err(fall) => Err(fall.after(lost).after(this.lost.take())),
                won => won,
            });
        }
        if let Some(fall) = lost {
            *this.lost = Some(fall.after(this.lost.take()));
        }
        match this.lost.take() {
            Some(fall) if branches.all_lost() => Poll::Ready(Err(fall)),
            fall => {
                *this.lost = fall;
                Poll::Pending
            }
        }
    }
}
