//! How far a run has come: its clock, its attempts, and what becomes of it when it fails.
//!
//! A run counts time in whole nanoseconds on its own clock. The clock is lazy: it stands at zero until something in the run
//! is first pending, so that what runs to its end without waiting never reads a clock. That leaves out synchronous work
//! before the first wait and the last poll's overrun; and tokio's timers fire on whole milliseconds, up to one late.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;

use crate::attempt::Attempt;
use crate::called;
use crate::clock;
use crate::failure::{Failure, Interrupted};
use crate::fall::{Fall, Fell};
use crate::key::IdempotencyKey;
use crate::observer::Run;
use crate::scope::{self, Limit, When};

/// Whether the caller's limits hold for a run from its start on.
pub trait Manner: Copy + Unpin {
    /// Whether they hold from the first error on only.
    const LENIENT: bool;
}

/// They do.
#[derive(Clone, Copy, Debug)]
pub struct Strict;

/// They hold from the first error on: of a policy without limits whose error type can't say that a run was interrupted, so
/// that nothing may stop it before an operation has returned an error.
#[derive(Clone, Copy, Debug)]
pub struct Lenient;

impl Manner for Strict {
    const LENIENT: bool = false;
}

impl Manner for Lenient {
    const LENIENT: bool = true;
}

/// How far one run has come.
///
/// All parts of a run are polled by one task, one after another, so plain loads and stores are enough; atomics are here
/// only because a `&Cell` held across an await would take `Send` from every run. What has the run to itself reads and
/// writes them as plain words.
#[derive(Debug)]
pub struct Course<M = Strict> {
    /// When the run was first pending, on the process' clock; zero before.
    epoch: AtomicU64,
    /// How many attempts were started; in a word that no run fills.
    calls: AtomicU64,
    manner: PhantomData<M>,
    /// Tells who watches that the run began and ended.
    watch: Run,
}

impl<M: Manner> Course<M> {
    /// At its start; `policy` is its name for who watches.
    #[must_use]
    #[inline]
    pub(crate) fn new(policy: &'static str, manner: M) -> Self {
        let mut course = Self::idle(policy, manner);
        course.begins();
        course
    }

    /// Before its start: nobody is told of it before it begins.
    #[must_use]
    #[inline]
    pub(crate) const fn idle(policy: &'static str, _: M) -> Self {
        Self {
            epoch: AtomicU64::new(0),
            calls: AtomicU64::new(0),
            manner: PhantomData,
            watch: Run::idle(policy),
        }
    }

    /// An idle run begins.
    #[inline]
    pub(crate) fn begins(&mut self) {
        self.watch.begins();
    }

    /// Its clock stands still and nothing has been called: no news, but for the compiler.
    #[inline]
    pub(crate) fn is_fresh(&mut self) {
        *self.epoch.get_mut() = 0;
        *self.calls.get_mut() = 0;
    }

    /// The run ended like this.
    #[inline]
    pub fn ended<T, E>(&self, outcome: &Result<T, Fall<E>>) {
        if let Err(fall) = outcome {
            called::tell(fall.fell);
        }
        self.watch
            .ended(outcome, || (self.calls(), Duration::from_nanos(self.now())));
    }

    /// The run ended with a value.
    #[inline]
    pub(crate) fn succeeded(&self) {
        self.ended::<(), ()>(&Ok(()));
    }

    /// The end of a run: its value, or what `ended` makes of its failure.
    ///
    /// # Errors
    ///
    /// What `ended` makes.
    #[inline]
    pub fn finish<T, E, L>(
        &self,
        outcome: Result<T, Fall<E>>,
        ended: impl FnOnce(&Self, Fall<E>) -> L,
    ) -> Result<T, L> {
        self.ended(&outcome);
        outcome.map_err(|fall| ended(self, fall))
    }

    /// That of a plain `fn`, which never is pending: its clock runs from now on.
    #[must_use]
    #[inline]
    pub fn started(policy: &'static str, manner: M) -> Self {
        let course = Self::new(policy, manner);
        course.start();
        course
    }

    /// An operation of a plain `fn`; nothing cuts it off, and what it asks sees `end`.
    ///
    /// # Errors
    ///
    /// Never: the type is that of a leaf.
    #[inline]
    pub fn call<R>(&self, end: u64, operation: impl FnOnce() -> R) -> Result<R, Fell> {
        let _entered = self.enter(end);
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
        let limit = scope::frame().limit();
        if limit.is_none() {
            u64::MAX
        } else {
            self.inherit(limit)
        }
    }

    #[cold]
    fn inherit(&self, limit: Limit) -> u64 {
        match limit.when() {
            When::Never => u64::MAX,
            When::In(nanos) => nanos,
            When::At(at) => at.saturating_sub(self.start()),
        }
    }

    /// Publishes a limit of this run to what its operation runs, for the time of one poll.
    #[inline]
    pub(crate) fn enter(&self, end: u64) -> Option<scope::Entered> {
        (end != u64::MAX).then(|| scope::enter(self.told(end)))
    }

    /// The limit of an attempt where nothing but the caller limits the run.
    #[must_use]
    #[inline]
    pub const fn inherited(&self, limit: u64, failed: bool) -> u64 {
        if M::LENIENT && !failed { u64::MAX } else { limit }
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
            .store(self.calls.load(Relaxed).wrapping_add(1), Relaxed);
        Ok(Attempt::new(number, of, copy, self.told(end), key))
    }

    /// An attempt has started, in a run that somebody has to themselves.
    #[inline]
    pub(crate) fn count(&mut self) {
        let calls = self.calls.get_mut();
        *calls = calls.wrapping_add(1);
    }

    /// How many attempts were started, in a run that somebody has to themselves and whose attempts have a count.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the count is a `u32`")]
    pub(crate) fn number(&mut self) -> u32 {
        *self.calls.get_mut() as u32
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
        } else if scope::is_cancelled() && !(M::LENIENT && end == u64::MAX) {
            Err(Fell::Cancelled)
        } else {
            Ok(())
        }
    }

    /// A limit as an operation is told it.
    #[inline]
    pub(crate) fn told(&self, end: u64) -> Limit {
        Limit::on(self.epoch.load(Relaxed), end)
    }

    /// The same, in a run that somebody has to themselves.
    #[inline]
    pub(crate) fn told_mut(&mut self, end: u64) -> Limit {
        Limit::on(*self.epoch.get_mut(), end)
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

    /// The operation's last error as it was, else what `interrupted` makes.
    #[must_use]
    #[inline]
    pub fn error_or<E>(&self, fall: Fall<E>, interrupted: impl FnOnce(Interrupted) -> E) -> E {
        match fall.last {
            Some(error) => error,
            None => interrupted(self.failure(fall).interrupted()),
        }
    }

    /// The operation's last error, which a lenient run always has.
    ///
    /// # Panics
    ///
    /// Never: what stops such a run is an operation's error.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn last_error<E>(&self, fall: Fall<E>) -> E {
        debug_assert!(M::LENIENT);
        fall.last
            .expect("a run without limits fails with an operation's error")
    }
}

impl<M> Course<M> {
    /// The time on the run's clock; zero until something was pending.
    #[must_use]
    #[inline]
    pub fn now(&self) -> u64 {
        match self.epoch.load(Relaxed) {
            0 => 0,
            epoch => clock::now().saturating_sub(epoch),
        }
    }

    /// Starts the clock if it hasn't, and says when that was, on the process' clock.
    #[inline]
    pub fn start(&self) -> u64 {
        match self.epoch.load(Relaxed) {
            0 => {
                let now = clock::now();
                self.epoch.store(now, Relaxed);
                now
            }
            epoch => epoch,
        }
    }

    /// How many attempts were started; `u32::MAX` where they are more.
    #[must_use]
    #[inline]
    pub fn calls(&self) -> u32 {
        u32::try_from(self.calls.load(Relaxed)).unwrap_or(u32::MAX)
    }
}

/// What becomes of a failed run: [`Course::error_or`], as a function of the run and its failure.
///
/// A closure in generated code would be one more body for the compiler to check.
#[inline]
pub fn error_or<E>(
    interrupted: impl FnOnce(Interrupted) -> E + Copy,
) -> impl FnOnce(&Course, Fall<E>) -> E + Copy {
    move |course, fall| course.error_or(fall, interrupted)
}

impl<M> Course<M> {
    /// The run was dropped, which is no news after its end.
    #[inline]
    #[cfg_attr(
        not(feature = "watched"),
        expect(clippy::unused_self, reason = "nobody watches")
    )]
    pub(crate) fn dropped(&self) {
        #[cfg(feature = "watched")]
        self.watch
            .dropped(|| (self.calls(), Duration::from_nanos(self.now())));
    }
}

#[cfg(feature = "watched")]
impl<M> Drop for Course<M> {
    fn drop(&mut self) {
        self.dropped();
    }
}
