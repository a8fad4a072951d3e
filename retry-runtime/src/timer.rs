//! The run's clock and its one timer.
//!
//! A run counts time in whole nanoseconds on its own clock. The clock is lazy: it stands at zero until something in the run
//! is first pending, so that what runs to its end without waiting never reads a clock. That leaves out synchronous work
//! before the first wait and the last poll's overrun; and tokio's timers fire on whole milliseconds, up to one late.
//!
//! Limits are numbers, not futures. A pending [`Leaf`] or [`Pause`] notes the earliest time at which it has to be polled
//! again, and [`Drive`], at the root of the run, keeps one `Sleep` armed for the earliest of them all, however many
//! branches and copies are out. When it fires, the run is polled again and unwinds to the node whose limit it was.

use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use core::task::{Context, Poll, ready};
use core::time::Duration;
use std::sync::OnceLock;

use pin_project_lite::pin_project;
use retry_planner::{Kind, Policy};
use tokio::time::{Instant, Sleep};

use crate::attempt::Attempt;
use crate::failure::{Failure, FromInterrupted, Interrupted};
use crate::fall::{Fall, Fell};
use crate::key::IdempotencyKey;
use crate::observer::Run;
use crate::scope::{self, Cancelled, Limit};

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

/// A duration on the run's clock, in whole nanoseconds; what doesn't fit stands at the end of time.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "compared first")]
pub const fn nanos(duration: Duration) -> u64 {
    let nanos = duration.as_nanos();
    if nanos > u64::MAX as u128 {
        u64::MAX
    } else {
        nanos as u64
    }
}

/// Milliseconds on the run's clock.
#[must_use]
#[inline]
pub const fn ms(millis: u64) -> u64 {
    millis.saturating_mul(1_000_000)
}

/// The clock of one run, and what its parts tell each other through it.
///
/// All parts of a run are polled by one task, one after another, so plain loads and stores are enough; atomics are here
/// only because a `&Cell` held across an await would take `Send` from every run.
#[derive(Debug)]
pub struct Timer {
    /// When the run was first pending.
    epoch: OnceLock<Instant>,
    /// The time up to which limits and waits have passed.
    passed: AtomicU64,
    /// The earliest time for which a pending part waits, noted anew in each poll.
    wake: AtomicU64,
    /// How many attempts were started.
    calls: AtomicU32,
    /// Whether the run has no error for being interrupted, so that nothing stops it before an operation has returned one.
    lenient: bool,
}

impl Default for Timer {
    fn default() -> Self {
        Self::new()
    }
}

impl Timer {
    /// A clock at zero.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self {
            epoch: OnceLock::new(),
            passed: AtomicU64::new(0),
            wake: AtomicU64::new(u64::MAX),
            calls: AtomicU32::new(0),
            lenient: false,
        }
    }

    /// A clock at zero, of a policy without limits whose error type can't say that a run was interrupted: the caller's
    /// limits hold from the first error on.
    #[must_use]
    #[inline]
    pub const fn lenient() -> Self {
        let mut timer = Self::new();
        timer.lenient = true;
        timer
    }

    /// A clock that runs from now on: what a plain `fn` has, which never is pending.
    #[must_use]
    #[inline]
    pub fn started(lenient: bool) -> Self {
        let mut timer = Self::new();
        timer.lenient = lenient;
        timer.start();
        timer
    }

    /// An operation of a plain `fn`; nothing cuts it off, and what it asks sees `end`.
    ///
    /// # Errors
    ///
    /// Never: the type is that of a [`leaf`](Self::leaf).
    #[inline]
    pub fn call<R>(&self, end: u64, operation: impl FnOnce() -> R) -> Result<R, Fell> {
        let _entered = (end != u64::MAX).then(|| scope::enter(self.told(end)));
        Ok(operation())
    }

    /// Lets the thread sleep, and says what time it is then.
    ///
    /// # Errors
    ///
    /// Where the scope was cancelled meanwhile.
    pub fn sleep(&self, now: u64, wait: u64) -> Result<u64, Fell> {
        let until = now.saturating_add(wait);
        loop {
            let now = self.now();
            if scope::is_cancelled() {
                return Err(Fell::Cancelled);
            }
            if now >= until {
                return Ok(now);
            }
            std::thread::sleep(Duration::from_nanos(until - now));
        }
    }

    /// The caller's earlier deadline on the run's clock; `u64::MAX` where there is none.
    #[must_use]
    #[inline]
    pub fn limit(&self) -> u64 {
        match scope::frame().limit {
            Limit::None => u64::MAX,
            Limit::In(nanos) => nanos,
            Limit::At(at) => nanos(at.saturating_duration_since(self.start())),
        }
    }

    /// The limit of an attempt where nothing but the caller limits the run.
    #[must_use]
    #[inline]
    pub const fn inherited(&self, limit: u64, failed: bool) -> u64 {
        if self.lenient && !failed { u64::MAX } else { limit }
    }

    /// The next attempt, unless the time for it has passed or the scope is cancelled.
    ///
    /// # Errors
    ///
    /// What the path unwinds with.
    #[inline]
    pub fn attempt(
        &self,
        now: u64,
        end: u64,
        number: u32,
        of: u32,
        copy: u32,
        key: Option<IdempotencyKey>,
    ) -> Result<Attempt, Fell> {
        self.admits(now, end)?;
        self.calls
            .store(self.calls.load(Relaxed).saturating_add(1), Relaxed);
        Ok(Attempt::new(number, of, copy, self.told(end), key))
    }

    /// Whether something may start now.
    ///
    /// # Errors
    ///
    /// What the path unwinds with.
    #[inline]
    pub fn admits(&self, now: u64, end: u64) -> Result<(), Fell> {
        if now >= end {
            Err(Fell::Cut)
        } else if scope::is_cancelled() && !(self.lenient && end == u64::MAX) {
            Err(Fell::Cancelled)
        } else {
            Ok(())
        }
    }

    /// A limit as an operation is told it.
    #[inline]
    fn told(&self, end: u64) -> Limit {
        if end == u64::MAX {
            return Limit::None;
        }
        match self.epoch.get() {
            None => Limit::In(end),
            Some(epoch) => epoch
                .checked_add(Duration::from_nanos(end))
                .map_or(Limit::None, Limit::At),
        }
    }

    /// The whole account of a run that failed.
    #[must_use]
    #[inline]
    pub fn failure<E>(&self, fall: Fall<E>) -> Failure<E> {
        Failure {
            stop: fall.fell.stop(),
            last: fall.last,
            attempts: self.calls(),
            elapsed: Duration::from_nanos(self.now()),
        }
    }

    /// The operation's last error as it was, else the one for an interrupted run.
    #[must_use]
    #[inline]
    pub fn error<E: FromInterrupted>(&self, fall: Fall<E>) -> E {
        self.error_or(fall, E::from_interrupted)
    }

    /// The operation's last error as it was, else what `interrupted` makes.
    #[must_use]
    #[inline]
    pub fn error_or<E>(&self, fall: Fall<E>, interrupted: impl FnOnce(Interrupted) -> E) -> E {
        match fall.last {
            Some(error) => error,
            None => interrupted(self.failure(fall).interrupted()),
        }
    }

    /// The operation's last error, which a [lenient](Self::lenient) run always has.
    ///
    /// # Panics
    ///
    /// Never: what stops such a run is an operation's error.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn last_error<E>(&self, fall: Fall<E>) -> E {
        debug_assert!(self.lenient);
        fall.last
            .expect("a run without limits fails with an operation's error")
    }

    /// The time on the run's clock; zero until something was pending.
    #[must_use]
    #[inline]
    pub fn now(&self) -> u64 {
        match self.epoch.get() {
            None => 0,
            Some(epoch) => since(*epoch),
        }
    }

    /// The instant that is zero on the run's clock, if the clock has started.
    #[must_use]
    #[inline]
    pub fn epoch(&self) -> Option<Instant> {
        self.epoch.get().copied()
    }

    /// Starts the clock if it hasn't.
    #[inline]
    pub fn start(&self) -> Instant {
        *self.epoch.get_or_init(Instant::now)
    }

    /// How many attempts were started.
    #[must_use]
    #[inline]
    pub fn calls(&self) -> u32 {
        self.calls.load(Relaxed)
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

#[inline]
fn since(epoch: Instant) -> u64 {
    nanos(Instant::now().saturating_duration_since(epoch))
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
        let _entered = (*this.end != u64::MAX).then(|| scope::enter(this.timer.told(*this.end)));
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
    /// A whole run: its body, and the one `Sleep` that all its limits and waits share; made by [`Timer::drive`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Drive<'a, F> {
        timer: &'a Timer,
        #[pin]
        body: F,
        #[pin]
        sleep: Option<Sleep>,
        // After the body, so that the end of the run is told after the ends of what was dropped in it.
        watch: Run<'a>,
    }
}

/// A run, in its span where there is one.
#[cfg(feature = "tracing")]
pub type Driven<'a, F> = tracing::instrument::Instrumented<Drive<'a, F>>;
/// A run.
#[cfg(not(feature = "tracing"))]
pub type Driven<'a, F> = Drive<'a, F>;

impl Timer {
    /// Runs `body`, whose leaves and waits are on this timer; `policy` is its name for observers.
    #[inline]
    pub fn drive<F: Future>(&self, policy: &'static str, body: F) -> Driven<'_, F> {
        let drive = Drive {
            timer: self,
            body,
            sleep: None,
            watch: Run::begins(policy, self),
        };
        #[cfg(feature = "tracing")]
        let drive = tracing::Instrument::instrument(drive, crate::observer::span(policy));
        drive
    }

    /// Runs the body of a plain `fn`: a closure, so that `return` leaves it.
    ///
    /// # Errors
    ///
    /// The run's own failure.
    #[inline]
    pub fn block<T, E>(
        &self,
        policy: &'static str,
        body: impl FnOnce() -> Result<T, Fall<E>>,
    ) -> Result<T, Fall<E>> {
        #[cfg(feature = "tracing")]
        let _entered = crate::observer::span(policy).entered();
        let mut watch = Run::begins(policy, self);
        let outcome = body();
        watch.ended(&outcome);
        outcome
    }
}

impl<F, T, E> Future for Drive<'_, F>
where
    F: Future<Output = Result<T, Fall<E>>>,
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        loop {
            this.timer.wake.store(u64::MAX, Relaxed);
            if let Poll::Ready(outcome) = this.body.as_mut().poll(cx) {
                this.watch.ended(&outcome);
                return Poll::Ready(outcome);
            }
            ready!(arm(this.timer, this.sleep.as_mut(), cx));
        }
    }
}

/// Arms the run's `Sleep` for the earliest time that was noted; ready once that has passed.
fn arm(timer: &Timer, mut sleep: Pin<&mut Option<Sleep>>, cx: &mut Context<'_>) -> Poll<()> {
    let epoch = timer.start();
    let wake = timer.wake.load(Relaxed);
    // Beyond what an `Instant` holds there is nothing to wait for.
    let Some(at) = epoch
        .checked_add(Duration::from_nanos(wake))
        .filter(|_| wake != u64::MAX)
    else {
        return Poll::Pending;
    };
    if sleep.is_none() {
        sleep.set(Some(tokio::time::sleep_until(at)));
        // Registers the timer at once: a first poll under an exhausted coop budget would not.
        reset(sleep.as_mut(), at);
    } else if sleep
        .as_ref()
        .as_pin_ref()
        .is_some_and(|sleep| sleep.deadline() != at)
    {
        reset(sleep.as_mut(), at);
    }
    if let Some(sleep) = sleep.as_pin_mut() {
        // An operation that spends the whole coop budget in each poll would keep the `Sleep` from ever being seen.
        if !sleep.is_elapsed() {
            ready!(sleep.poll(cx));
        }
    }
    timer.passed.store(wake, Relaxed);
    Poll::Ready(())
}

fn reset(sleep: Pin<&mut Option<Sleep>>, at: Instant) {
    if let Some(sleep) = sleep.as_pin_mut() {
        sleep.reset(at);
    }
}
