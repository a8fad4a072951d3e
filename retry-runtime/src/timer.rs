//! The timer of a run in which several things are out together.
//!
//! Limits are numbers, not futures. A pending [`Leaf`] or [`Pause`] notes the earliest time at which it has to be polled
//! again, and [`Drive`], around whatever the run waits for, keeps one [`Alarm`] set for the earliest of them all, however
//! many branches and copies are out. When it goes off, they are polled again, and unwind to the node whose limit it was.

use core::future::Future;
use core::ops::Deref;
use core::pin::Pin;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use retry_planner::{Kind, Policy};
use tokio::time::Sleep;

pub use crate::clock::nanos;
use crate::course::Course;
use crate::fall::Fell;
use crate::port;
use crate::scope::{self, Cancelled};
use crate::sleep;

/// The limit of the node at `index` of a policy: a timeout's, a deadline's, or an attempt's bound.
#[must_use]
pub const fn limit(policy: &Policy<'_>, index: usize) -> u64 {
    match policy.nodes[index].kind {
        Kind::Timeout(limit) | Kind::Deadline(limit) => nanos(limit.hi),
        Kind::Attempt(attempt) => match attempt.bound {
            Some(bound) => nanos(bound.hi),
            None => u64::MAX,
        },
        _ => u64::MAX,
    }
}

/// Milliseconds on the run's clock.
#[must_use]
#[inline]
pub const fn ms(millis: u64) -> u64 {
    millis.saturating_mul(1_000_000)
}

/// How far the run has come, and what its parts tell each other.
#[derive(Debug)]
pub struct Timer {
    course: Course,
    /// The time up to which limits and waits have passed.
    passed: AtomicU64,
    /// The earliest time for which a pending part waits, noted anew in each poll.
    wake: AtomicU64,
}

impl Deref for Timer {
    type Target = Course;

    #[inline]
    fn deref(&self) -> &Course {
        &self.course
    }
}

impl Timer {
    /// At the start of a run; its [`Course`] says what `policy` and `lenient` are.
    #[must_use]
    #[inline]
    pub fn new(policy: &'static str, lenient: bool) -> Self {
        Self {
            course: Course::new(policy, lenient),
            passed: AtomicU64::new(0),
            wake: AtomicU64::new(u64::MAX),
        }
    }

    /// Whether `end` has passed; if not, the run will be polled again when it has.
    #[inline]
    pub(crate) fn passed(&self, end: u64) -> bool {
        if self.passed.load(Relaxed) >= end {
            return true;
        }
        if end < self.wake.load(Relaxed) {
            self.wake.store(end, Relaxed);
        }
        false
    }

    /// An operation that is dropped once `end` has passed.
    ///
    /// What ends exactly at `end` is in time: the operation is polled before the limit counts.
    #[inline]
    pub fn leaf<F: Future>(&self, end: u64, operation: F) -> Leaf<'_, F> {
        Leaf {
            timer: self,
            end,
            operation,
        }
    }

    /// Drives what waits on this timer, with the run's alarm. What stands in a branch or a copy is driven with it.
    #[inline]
    pub const fn drive<'a, F: Future>(&'a self, alarm: Pin<&'a mut Alarm>, waited: F) -> Drive<'a, F> {
        Drive {
            timer: self,
            alarm,
            waited,
        }
    }

    /// Waits, and says what time it is then. A scope that is cancelled ends it at once.
    #[inline]
    pub fn pause(&self, now: u64, wait: u64) -> Pause<'_> {
        Pause {
            timer: self,
            until: now.saturating_add(wait),
            cancelled: scope::cancelled(),
        }
    }
}

pin_project! {
    /// An operation under a limit; made by [`Timer::leaf`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Leaf<'a, F> {
        timer: &'a Timer,
        end: u64,
        #[pin]
        operation: F,
    }
}

impl<F: Future> Future for Leaf<'_, F> {
    type Output = Result<F::Output, Fell>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        // What runs inside sees the limit, and inherits it.
        let _entered = this.timer.enter(*this.end);
        match this.operation.poll(cx) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending if this.timer.passed(*this.end) => Poll::Ready(Err(Fell::Cut)),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// A wait; made by [`Timer::pause`].
#[must_use = "futures do nothing unless polled"]
#[derive(Debug)]
pub struct Pause<'a> {
    timer: &'a Timer,
    until: u64,
    cancelled: Option<Cancelled>,
}

impl Future for Pause<'_> {
    type Output = Result<u64, Fell>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // The clock starts with the wait, and not where `Drive` sees it pending, so that `until` is on it.
        self.timer.start();
        if let Some(cancelled) = &mut self.cancelled
            && Pin::new(cancelled).poll(cx).is_ready()
        {
            return Poll::Ready(Err(Fell::Cancelled));
        }
        if self.timer.passed(self.until) {
            Poll::Ready(Ok(self.timer.now()))
        } else {
            Poll::Pending
        }
    }
}

pin_project! {
    /// The one `Sleep` that all limits and waits of the run share.
    #[derive(Debug)]
    pub struct Alarm {
        #[pin]
        sleep: Option<Sleep>,
    }
}

impl Default for Alarm {
    fn default() -> Self {
        Self::new()
    }
}

impl Alarm {
    /// Not set.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { sleep: None }
    }

    /// Sets it for the earliest time that was noted; ready once that has passed.
    fn wait(self: Pin<&mut Self>, timer: &Timer, cx: &mut Context<'_>) -> Poll<()> {
        if port::asks() {
            return Poll::Pending;
        }
        let epoch = timer.start();
        let wake = timer.wake.load(Relaxed);
        if wake == u64::MAX {
            return Poll::Pending;
        }
        ready!(sleep::until(self.project().sleep, epoch.saturating_add(wake), cx));
        timer.passed.store(wake, Relaxed);
        Poll::Ready(())
    }
}

pin_project! {
    /// What a run waits for: a leaf, a pause, or all that is out together; made by [`Timer::drive`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Drive<'a, F> {
        timer: &'a Timer,
        alarm: Pin<&'a mut Alarm>,
        #[pin]
        waited: F,
    }
}

impl<F: Future> Future for Drive<'_, F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        loop {
            this.timer.wake.store(u64::MAX, Relaxed);
            if let Poll::Ready(output) = this.waited.as_mut().poll(cx) {
                return Poll::Ready(output);
            }
            ready!(this.alarm.as_mut().wait(this.timer, cx));
        }
    }
}
