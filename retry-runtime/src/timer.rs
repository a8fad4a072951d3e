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

pub use crate::clock::nanos;
use crate::course::{Course, Manner, Strict};
use crate::fall::Fell;
use crate::port;
use crate::scope::Watched;
pub use crate::sleep::Alarm;

/// The longest limit, 146 years: what is added to a time on a run's clock without a look at where a word ends.
pub const FAR: u64 = 1 << 62;

/// The limit of the node at `index` of a policy: a timeout's, a deadline's, or an attempt's bound.
#[must_use]
pub const fn limit(policy: &Policy<'_>, index: usize) -> u64 {
    match policy.nodes[index].kind {
        Kind::Timeout(limit) | Kind::Deadline(limit) => within(nanos(limit.hi)),
        Kind::Attempt(attempt) => match attempt.bound {
            Some(bound) => within(nanos(bound.hi)),
            None => FAR,
        },
        _ => FAR,
    }
}

/// So many nanoseconds as a limit: [`FAR`] at most.
#[must_use]
#[inline]
pub const fn within(nanos: u64) -> u64 {
    if nanos < FAR { nanos } else { FAR }
}

/// So many milliseconds as a limit: [`FAR`] at most.
#[must_use]
#[inline]
pub const fn ms(millis: u64) -> u64 {
    within(millis.saturating_mul(1_000_000))
}

/// How far the run has come, and what its parts tell each other.
#[derive(Debug)]
pub struct Timer<M = Strict> {
    course: Course<M>,
    /// The time up to which limits and waits have passed.
    passed: AtomicU64,
    /// The earliest time for which a pending part waits, noted anew in each poll.
    wake: AtomicU64,
}

impl<M> Deref for Timer<M> {
    type Target = Course<M>;

    #[inline]
    fn deref(&self) -> &Course<M> {
        &self.course
    }
}

impl<M: Manner> Timer<M> {
    /// At the start of a run; `policy` is its name for who watches.
    #[must_use]
    #[inline]
    pub fn new(policy: &'static str, manner: M) -> Self {
        Self {
            course: Course::new(policy, manner),
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
    pub fn leaf<F: Future>(&self, end: u64, operation: F) -> Leaf<'_, F, M> {
        Leaf {
            timer: self,
            end,
            operation,
        }
    }

    /// Drives what waits on this timer, with the run's alarm. What stands in a branch or a copy is driven with it.
    #[inline]
    pub const fn drive<'a, F: Future>(&'a self, alarm: Pin<&'a mut Alarm>, waited: F) -> Drive<'a, F, M> {
        Drive {
            timer: self,
            alarm,
            waited,
        }
    }

    /// Waits, and says what time it is then. A scope that is cancelled ends it at once.
    #[inline]
    pub fn pause(&self, now: u64, wait: u64) -> Pause<'_, M> {
        Pause {
            timer: self,
            until: now.saturating_add(wait),
            cancelled: Watched::new(),
        }
    }
}

pin_project! {
    /// An operation under a limit; made by [`Timer::leaf`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Leaf<'a, F, M> {
        timer: &'a Timer<M>,
        end: u64,
        #[pin]
        operation: F,
    }
}

impl<F: Future, M: Manner> Future for Leaf<'_, F, M> {
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
pub struct Pause<'a, M> {
    timer: &'a Timer<M>,
    until: u64,
    cancelled: Watched,
}

impl<M: Manner> Future for Pause<'_, M> {
    type Output = Result<u64, Fell>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // The clock starts with the wait, and not where `Drive` sees it pending, so that `until` is on it.
        self.timer.start();
        if self.cancelled.is_cancelled(cx) {
            return Poll::Ready(Err(Fell::Cancelled));
        }
        if self.timer.passed(self.until) {
            Poll::Ready(Ok(self.timer.now()))
        } else {
            Poll::Pending
        }
    }
}

impl<M> Timer<M> {
    /// Sets the alarm for the earliest time that was noted; ready once that has passed.
    fn wait(&self, alarm: Pin<&mut Alarm>, cx: &mut Context<'_>) -> Poll<()> {
        if port::asks() {
            return Poll::Pending;
        }
        let epoch = self.start();
        let wake = self.wake.load(Relaxed);
        if wake == u64::MAX {
            return Poll::Pending;
        }
        ready!(alarm.until(epoch.saturating_add(wake), cx));
        self.passed.store(wake, Relaxed);
        Poll::Ready(())
    }
}

pin_project! {
    /// What a run waits for: a leaf, a pause, or all that is out together; made by [`Timer::drive`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Drive<'a, F, M> {
        timer: &'a Timer<M>,
        alarm: Pin<&'a mut Alarm>,
        #[pin]
        waited: F,
    }
}

impl<F: Future, M: Manner> Future for Drive<'_, F, M> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        loop {
            this.timer.wake.store(u64::MAX, Relaxed);
            if let Poll::Ready(output) = this.waited.as_mut().poll(cx) {
                return Poll::Ready(output);
            }
            ready!(this.timer.wait(this.alarm.as_mut(), cx));
        }
    }
}
