//! The timer of a run with limits in which one thing happens at a time.
//!
//! Most policies have limits, and neither branches nor copies. Such a run is one future that owns its [`Course`] and its one `Sleep`, and
//! lends both to whatever it waits for: an attempt, a wait, an async hook. Limits are numbers; the `Sleep` is made when
//! something with a limit is first pending, and set anew from attempt to wait to attempt.

use core::future::{Future, IntoFuture};
use core::ops::Deref;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use crate::attempt::Attempt;
use crate::bare::NoFuture;
use crate::course::{Course, Manner, Strict};
use crate::fall::Fell;
use crate::key::IdempotencyKey;
use crate::port;
use crate::scope::{self, Entered, Limit, Watched};
use crate::sleep::Alarm;

pin_project! {
    /// How far the run has come, and its `Sleep`.
    #[derive(Debug)]
    pub struct Solo<M = Strict> {
        course: Course<M>,
        #[pin]
        alarm: Alarm,
    }
}

impl<M> Deref for Solo<M> {
    type Target = Course<M>;

    #[inline]
    fn deref(&self) -> &Course<M> {
        &self.course
    }
}

impl<M: Manner> Solo<M> {
    /// At the start of a run; `policy` is its name for who watches.
    #[must_use]
    #[inline]
    pub fn new(policy: &'static str, manner: M) -> Self {
        Self::of(Course::new(policy, manner))
    }

    /// Of a run that has come so far.
    #[must_use]
    #[inline]
    pub(crate) const fn of(course: Course<M>) -> Self {
        Self {
            course,
            alarm: Alarm::new(),
        }
    }

    /// An idle run begins.
    #[inline]
    pub(crate) fn begins(self: Pin<&mut Self>) {
        let course = self.project().course;
        course.begins();
        course.is_fresh();
    }

    /// The next attempt, unless the time for it has passed or the scope is cancelled.
    ///
    /// # Errors
    ///
    /// What the path unwinds with.
    #[inline]
    pub fn attempt(
        self: Pin<&mut Self>,
        now: u64,
        end: u64,
        number: u32,
        of: u32,
        copy: u32,
        key: Option<IdempotencyKey>,
    ) -> Result<Attempt, Fell> {
        self.course.admits(now, end)?;
        let limit = self.counted(end);
        Ok(Attempt::new(number, of, copy, limit, key))
    }

    /// An attempt has started; its limit, as it is told to it.
    #[inline]
    pub(crate) fn counted(self: Pin<&mut Self>, end: u64) -> Limit {
        let course = self.project().course;
        course.count();
        course.told_mut(end)
    }

    /// An operation that is dropped once `end` has passed.
    ///
    /// What ends exactly at `end` is in time: the operation is polled before the limit counts.
    #[inline]
    pub const fn leaf<F>(self: Pin<&mut Self>, end: u64, operation: F) -> SoloLeaf<'_, F, M> {
        SoloLeaf {
            solo: self,
            end,
            operation,
        }
    }

    /// Publishes the limit to what makes an operation, as [`leaf`](Self::leaf) does to the operation.
    #[inline]
    pub fn entered(self: Pin<&mut Self>, end: u64) -> SoloEntered<'_, M> {
        SoloEntered {
            entered: scope::enter(self.told(end)),
            solo: self,
            end,
        }
    }

    /// Waits, and says what time it is then. A scope that is cancelled ends it at once.
    #[inline]
    pub fn pause(self: Pin<&mut Self>, now: u64, wait: u64) -> SoloPause<'_, M> {
        SoloPause {
            until: now.saturating_add(wait),
            cancelled: Watched::new(),
            solo: self,
        }
    }

    /// Polls an operation that is dropped once `end` has passed.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at one place of a run, and a call costs as much as all it does"
    )]
    pub(crate) fn poll_leaf<F: Future>(
        self: Pin<&mut Self>,
        end: u64,
        operation: Pin<&mut F>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Output, Fell>> {
        // What runs inside sees the limit, and inherits it.
        let entered = scope::enter(self.told(end));
        if let Poll::Ready(output) = operation.poll(cx) {
            return Poll::Ready(Ok(output));
        }
        drop(entered);
        self.passed(end, cx).map(|()| Err(Fell::Cut))
    }

    /// Polls a wait until then.
    pub(crate) fn poll_pause(
        self: Pin<&mut Self>,
        until: u64,
        cancelled: &mut Watched,
        cx: &mut Context<'_>,
    ) -> Poll<Result<u64, Fell>> {
        let mut this = self;
        if cancelled.is_cancelled(cx) {
            this.start();
            return Poll::Ready(Err(Fell::Cancelled));
        }
        ready!(this.as_mut().passed(until, cx));
        Poll::Ready(Ok(this.now()))
    }

    /// How many attempts were started, of a retry with a count.
    #[inline]
    pub(crate) fn number(self: Pin<&mut Self>) -> u32 {
        self.project().course.number()
    }

    /// Whether its alarm was set and has gone off.
    #[inline]
    pub(crate) fn has_rung(&self) -> bool {
        self.alarm.has_rung()
    }

    /// Ready once `end` has passed; starts the clock.
    #[inline]
    pub(crate) fn passed(self: Pin<&mut Self>, end: u64, cx: &mut Context<'_>) -> Poll<()> {
        self.alarmed(end, cx).unwrap_or(Poll::Pending)
    }

    /// The same; `None` where the alarm isn't set for it.
    #[inline(never)]
    pub(crate) fn alarmed(self: Pin<&mut Self>, end: u64, cx: &mut Context<'_>) -> Option<Poll<()>> {
        if port::asks() {
            return None;
        }
        let this = self.project();
        let at = this.course.start().saturating_add(end);
        if at == u64::MAX {
            return None;
        }
        this.alarm.set(at, cx)
    }
}

/// The time in which an operation is made; made by [`Solo::entered`].
#[must_use = "what is entered waits for an operation"]
#[derive(Debug)]
pub struct SoloEntered<'a, M> {
    entered: Entered,
    solo: Pin<&'a mut Solo<M>>,
    end: u64,
}

impl<'a, M: Manner> SoloEntered<'a, M> {
    /// What is awaited as an operation.
    #[inline]
    pub const fn operation<O>(self, operation: O) -> SoloOperation<'a, O, M> {
        SoloOperation {
            place: self,
            operation,
        }
    }
}

/// What is awaited as an operation; made by [`SoloEntered::operation`].
#[must_use = "an operation does nothing unless it is awaited"]
#[derive(Debug)]
pub struct SoloOperation<'a, O, M> {
    place: SoloEntered<'a, M>,
    operation: O,
}

impl<'a, O: IntoFuture, M: Manner> SoloOperation<'a, O, M> {
    /// The operation of a future.
    #[inline]
    pub fn begun(self) -> SoloLeaf<'a, O::IntoFuture, M> {
        let operation = self.operation.into_future();
        let SoloEntered { entered, solo, end } = self.place;
        drop(entered);
        solo.leaf(end, operation)
    }
}

impl<'a, O, M: Manner> NoFuture for SoloOperation<'a, O, M> {
    type Operation = SoloLeaf<'a, O, M>;

    fn begun(self) -> SoloLeaf<'a, O, M> {
        self.place.solo.leaf(self.place.end, self.operation)
    }
}

pin_project! {
    /// An operation under a limit; made by [`Solo::leaf`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct SoloLeaf<'a, F, M> {
        solo: Pin<&'a mut Solo<M>>,
        end: u64,
        #[pin]
        operation: F,
    }
}

impl<F: Future, M: Manner> Future for SoloLeaf<'_, F, M> {
    type Output = Result<F::Output, Fell>;

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at one place of a run, and a call costs as much as all it does"
    )]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        this.solo.as_mut().poll_leaf(*this.end, this.operation, cx)
    }
}

/// A wait; made by [`Solo::pause`].
#[must_use = "futures do nothing unless polled"]
#[derive(Debug)]
pub struct SoloPause<'a, M> {
    until: u64,
    cancelled: Watched,
    solo: Pin<&'a mut Solo<M>>,
}

impl<M: Manner> Future for SoloPause<'_, M> {
    type Output = Result<u64, Fell>;

    // Of waits there is one in the binary, and not one in each run.
    #[inline(never)]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.solo.as_mut().poll_pause(this.until, &mut this.cancelled, cx)
    }
}
