//! `retry(…) { … }`: what one failed attempt leaves to decide, in the order of rule 4.
//!
//! Generated code is a plain loop. Between the user's hooks each question is asked in its own line; where there are none, all
//! of them in one.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use retry_planner::{Attempts, Backoff, Kind, Policy, Retry};

use crate::bare::Bare;
use crate::budget::Repeat;
use crate::course::{Course, Manner};
use crate::failure::Stop;
use crate::fall::Fell;
use crate::hook;
use crate::least::needs;
use crate::observer;
use crate::rng;
use crate::scope;
use crate::timer::nanos;
use crate::wait;

/// The figures of one retry, read from the policy's own tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetrySpec<'a> {
    retry: Retry<'a>,
    /// Whether there is no wait, unless a hint asks for one.
    at_once: bool,
    /// The most attempts; `u32::MAX` where there is no count.
    attempts: u32,
    /// The fastest success of an attempt, the limits inside it included.
    least: u64,
    /// The last start of an attempt from which it can meet the deadlines inside it.
    start_by: u64,
    /// The longest hint that is waited for.
    hint: u64,
}

/// What a retry keeps of its last wait: `u64` all of it, which `decorrelated` draws from; `()` nothing, where none is drawn
/// from it.
pub trait Previous: Copy {
    /// None yet.
    const NONE: Self;
    /// The wait.
    fn wait(self) -> u64;
    /// Of a wait.
    fn of(wait: u64) -> Self;
}

impl Previous for u64 {
    const NONE: Self = 0;

    #[inline]
    fn wait(self) -> u64 {
        self
    }

    #[inline]
    fn of(wait: u64) -> Self {
        wait
    }
}

impl Previous for () {
    const NONE: Self = ();

    #[inline]
    fn wait(self) -> u64 {
        0
    }

    #[inline]
    fn of(_: u64) -> Self {}
}

/// How far a retry has come.
#[derive(Clone, Copy, Debug)]
pub struct Tries<P = ()> {
    /// The attempt that is out.
    number: u32,
    previous: P,
}

impl<P: Previous> Tries<P> {
    /// At the first attempt.
    #[must_use]
    #[inline]
    #[expect(
        clippy::new_without_default,
        reason = "generated code says where a retry begins"
    )]
    pub const fn new() -> Self {
        Self {
            number: 1,
            previous: P::NONE,
        }
    }

    /// At that attempt.
    #[must_use]
    #[inline]
    pub(crate) const fn at(number: u32) -> Self {
        Self {
            number,
            previous: P::NONE,
        }
    }

    /// At the next attempt.
    #[inline]
    pub const fn next(&mut self) {
        // Of an attempt that is followed by another one, the number is below the most attempts.
        self.number = self.number.wrapping_add(1);
    }

    /// The number of the attempt; the first is 1.
    #[must_use]
    #[inline]
    pub const fn number(&self) -> u32 {
        self.number
    }
}

impl RetrySpec<'static> {
    /// The retry at `index` of a policy.
    ///
    /// # Panics
    ///
    /// Where there is no retry: generated code names the right node.
    #[must_use]
    pub const fn of(policy: &Policy<'static>, index: usize) -> Self {
        let Kind::Retry(retry) = policy.nodes[index].kind else {
            panic!("this node is no retry");
        };
        let (least, start_by) = needs(policy, index);
        Self::new(retry, least, start_by)
    }
}

impl<'a> RetrySpec<'a> {
    /// A retry with its figures. `least` is the fastest success of an attempt, and `start_by` the last time at
    /// which one can start and meet the deadlines inside it.
    #[must_use]
    pub const fn new(retry: Retry<'a>, least: u64, start_by: u64) -> Self {
        Self {
            retry,
            at_once: matches!(retry.backoff, Backoff::None),
            attempts: match retry.attempts {
                Attempts::Exactly(count) | Attempts::UpTo(count) => count.hi,
                Attempts::Unlimited => u32::MAX,
            },
            least,
            start_by,
            hint: match retry.hint {
                Some(hint) => match hint.max {
                    Some(max) => nanos(max.hi),
                    None => u64::MAX,
                },
                None => 0,
            },
        }
    }

    /// How many attempts there are at most; zero where there is no count.
    #[must_use]
    #[inline]
    pub const fn of_attempts(&self) -> u32 {
        if self.attempts == u32::MAX {
            0
        } else {
            self.attempts
        }
    }

    /// Whether nothing can bring another attempt: none is left, a limit ends the retry, or a timeout stops it.
    #[inline]
    #[must_use]
    pub fn ends<P: Previous>(&self, tries: Tries<P>, fell: Fell) -> Option<Fell> {
        match fell {
            Fell::Cut | Fell::Cancelled | Fell::Deadline => Some(fell),
            _ if tries.number >= self.attempts => Some(fell.because(Stop::Exhausted)),
            Fell::TimedOut(_) if self.retry.stop_on_timeout => Some(fell.because(Stop::NotRetryable)),
            _ => None,
        }
    }

    /// Draws the wait before the next attempt; refused where even its fastest success would end after `end`. `policy` is
    /// who refuses, for observers.
    ///
    /// The wait is drawn first, and neither drawn again nor shortened.
    ///
    /// # Errors
    ///
    /// The failure, with the reason for the refusal.
    #[inline]
    pub fn wait<P: Previous>(
        &self,
        policy: &'static str,
        tries: &mut Tries<P>,
        now: u64,
        end: u64,
        hint: Option<Duration>,
        fell: Fell,
    ) -> Result<u64, Fell> {
        self.drawn(tries, hint, fell)
            .and_then(|wait| self.fits(wait, now, end, fell))
            .inspect_err(|fell| observer::refused(policy, tries.number, fell.stop()))
    }

    /// [`ends`](Self::ends) and [`wait`](Self::wait) where nothing of the user's stands between them: the wait before the next
    /// attempt, of which observers are told.
    ///
    /// # Errors
    ///
    /// The failure, with the reason why there is no further attempt.
    #[inline]
    pub fn again<P: Previous>(
        &self,
        policy: &'static str,
        tries: &mut Tries<P>,
        now: u64,
        end: u64,
        fell: Fell,
    ) -> Result<u64, Fell> {
        self.judged(
            policy,
            tries,
            fell,
            || true,
            |tries| self.wait(policy, tries, now, end, None, fell),
        )
    }

    /// The same where a predicate stands between them.
    ///
    /// # Errors
    ///
    /// The failure, with the reason why there is no further attempt.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "one call of generated code, with all that it is about"
    )]
    pub fn again_when<'e, P: Previous, E, V: Verdict>(
        &self,
        policy: &'static str,
        tries: &mut Tries<P>,
        now: u64,
        end: u64,
        fell: Fell,
        last: &'e Option<E>,
        when: impl FnOnce(&'e E) -> V,
    ) -> Result<u64, Fell> {
        self.judged(
            policy,
            tries,
            fell,
            || worth(fell, last.as_ref(), when),
            |tries| self.wait(policy, tries, now, end, None, fell),
        )
    }

    /// Whether there is another attempt, in the order of rule 4: one is left, the error is `worth` it, and the `wait` fits.
    #[inline]
    fn judged<P: Previous>(
        &self,
        policy: &'static str,
        tries: &mut Tries<P>,
        fell: Fell,
        worth: impl FnOnce() -> bool,
        wait: impl FnOnce(&mut Tries<P>) -> Result<u64, Fell>,
    ) -> Result<u64, Fell> {
        if let Some(fell) = self.ends(*tries, fell) {
            return Err(fell);
        }
        if !worth() {
            return Err(fell.because(Stop::NotRetryable));
        }
        let wait = wait(tries)?;
        observer::waits(policy, tries.number, wait, None);
        Ok(wait)
    }

    /// What became of a wait, with a look whether the next attempt still fits ([`waited`](Self::waited)).
    ///
    /// # Errors
    ///
    /// What ended the wait, or the failure with the reason for the refusal.
    #[inline]
    pub fn paused<P: Previous>(
        &self,
        policy: &'static str,
        tries: Tries<P>,
        paused: Result<u64, Fell>,
        end: u64,
        fell: Fell,
    ) -> Result<u64, Fell> {
        let now = paused?;
        self.waited(policy, tries, now, end, fell)?;
        Ok(now)
    }

    /// Looks again once the wait is over: a timer fires up to a millisecond late and a hook takes its time, so that what would
    /// have fitted may fit no longer. A limit that has passed meanwhile is for the attempt to find.
    ///
    /// # Errors
    ///
    /// The failure, with the reason for the refusal.
    #[inline]
    pub fn waited<P: Previous>(
        &self,
        policy: &'static str,
        tries: Tries<P>,
        now: u64,
        end: u64,
        fell: Fell,
    ) -> Result<(), Fell> {
        if now < end && self.late(now, end) {
            let fell = fell.because(Stop::WontFit);
            observer::refused(policy, tries.number, fell.stop());
            return Err(fell);
        }
        Ok(())
    }

    /// Whether even the fastest success of an attempt that starts then would come after `end` or a deadline inside it.
    #[inline]
    const fn late(&self, starts: u64, end: u64) -> bool {
        let limited = end != u64::MAX && (starts >= end || starts.saturating_add(self.least) > end);
        limited || starts > self.start_by
    }

    /// The wait; `None` where the hint is longer than is waited for.
    #[inline(never)]
    fn draw<P: Previous>(&self, tries: &mut Tries<P>, hint: Option<Duration>) -> Option<u64> {
        let wait = wait::draw(&self.retry, tries.number, tries.previous.wait(), rng::next);
        tries.previous = P::of(wait);
        let hint = hint.map_or(0, nanos);
        (hint <= self.hint).then(|| wait.max(hint))
    }

    /// The wait before the next attempt.
    ///
    /// # Errors
    ///
    /// The failure, where the hint is longer than is waited for.
    #[inline]
    fn drawn<P: Previous>(
        &self,
        tries: &mut Tries<P>,
        hint: Option<Duration>,
        fell: Fell,
    ) -> Result<u64, Fell> {
        if self.at_once && hint.is_none() {
            return Ok(0);
        }
        self.draw(tries, hint).ok_or(fell.because(Stop::WontFit))
    }

    /// The wait again, if an attempt after it fits and the scope allows one.
    #[inline]
    fn fits(&self, wait: u64, now: u64, end: u64, fell: Fell) -> Result<u64, Fell> {
        if self.late(now.saturating_add(wait), end) {
            return Err(fell.because(Stop::WontFit));
        }
        match scope::refusal() {
            Some(Stop::Cancelled) => Err(Fell::Cancelled),
            Some(stop) => Err(fell.because(stop)),
            None => Ok(wait),
        }
    }

    /// Whether, in a run without limits of its own, nothing refuses an attempt: neither a deadline inside it nor the scope.
    #[inline]
    fn is_free(&self) -> bool {
        self.start_by == u64::MAX && !scope::frame().imposes()
    }
}

impl Fell {
    /// What a retry after this is charged as.
    #[must_use]
    #[inline]
    pub const fn repeat(self) -> Repeat {
        match self {
            Self::TimedOut(_) => Repeat::TimedOut,
            _ => Repeat::Retry,
        }
    }
}

/// What `on_retry` is told.
#[derive(Clone, Copy, Debug)]
pub struct Retrying<'a, E> {
    attempt: u32,
    error: Option<&'a E>,
    wait: u64,
}

impl<'a, E> Retrying<'a, E> {
    /// For the executor: attempt `attempt` failed, and the next one starts after `wait`.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn new(attempt: u32, fell: Fell, last: Option<&'a E>, wait: u64) -> Self {
        Self {
            attempt,
            error: match fell {
                Fell::Failed(_) => last,
                _ => None,
            },
            wait,
        }
    }

    /// The number of the attempt that failed; the first is 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The operation's error; `None` where the attempt timed out, or its value wasn't there yet.
    #[must_use]
    pub const fn error(&self) -> Option<&'a E> {
        self.error
    }

    /// The wait before the next attempt.
    #[must_use]
    pub const fn wait(&self) -> Duration {
        Duration::from_nanos(self.wait)
    }
}

/// What a `when` may return: whether the error is worth another attempt.
///
/// A predicate that itself fails declines, and the operation's own error is returned.
#[diagnostic::on_unimplemented(
    message = "`when` says whether an error is worth another attempt: `bool` or `Result<bool, _>`, not `{Self}`"
)]
pub trait Verdict {
    /// Whether to try again.
    fn again(self) -> bool;
}

impl Verdict for bool {
    #[inline]
    fn again(self) -> bool {
        self
    }
}

impl<E> Verdict for Result<bool, E> {
    #[inline]
    fn again(self) -> bool {
        matches!(self, Ok(true))
    }
}

/// Whether what has failed is worth another attempt; the predicate sees the operation's errors only.
#[inline]
fn worth<'e, E, V: Verdict>(fell: Fell, last: Option<&'e E>, when: impl FnOnce(&'e E) -> V) -> bool {
    match (fell, last) {
        (Fell::Failed(_), Some(error)) => hook::when(error, when),
        _ => true,
    }
}

impl<M: Manner> Bare<M> {
    /// Draws the wait before the next attempt, as [`RetrySpec::wait`] does under a limit.
    ///
    /// # Errors
    ///
    /// The failure, with the reason for the refusal.
    #[inline]
    pub fn wait<P: Previous>(
        &self,
        spec: &RetrySpec<'_>,
        policy: &'static str,
        tries: &mut Tries<P>,
        hint: Option<Duration>,
        fell: Fell,
    ) -> Result<u64, Fell> {
        spec.drawn(tries, hint, fell)
            .and_then(|wait| {
                if spec.is_free() {
                    Ok(wait)
                } else {
                    self.fits(spec, wait, fell)
                }
            })
            .inspect_err(|fell| observer::refused(policy, tries.number, fell.stop()))
    }

    /// What [`RetrySpec::again`] is under a limit.
    ///
    /// # Errors
    ///
    /// The failure, with the reason why there is no further attempt.
    #[inline]
    pub fn again<P: Previous>(
        &self,
        spec: &RetrySpec<'_>,
        policy: &'static str,
        tries: &mut Tries<P>,
        fell: Fell,
    ) -> Result<u64, Fell> {
        spec.judged(
            policy,
            tries,
            fell,
            || true,
            |tries| self.wait(spec, policy, tries, None, fell),
        )
    }

    /// What [`RetrySpec::again_when`] is under a limit.
    ///
    /// # Errors
    ///
    /// The failure, with the reason why there is no further attempt.
    #[inline]
    pub fn again_when<'e, P: Previous, E, V: Verdict>(
        &self,
        spec: &RetrySpec<'_>,
        policy: &'static str,
        tries: &mut Tries<P>,
        fell: Fell,
        last: &'e Option<E>,
        when: impl FnOnce(&'e E) -> V,
    ) -> Result<u64, Fell> {
        spec.judged(
            policy,
            tries,
            fell,
            || worth(fell, last.as_ref(), when),
            |tries| self.wait(spec, policy, tries, None, fell),
        )
    }

    #[cold]
    #[inline(never)]
    fn fits(&self, spec: &RetrySpec<'_>, wait: u64, fell: Fell) -> Result<u64, Fell> {
        spec.fits(wait, self.now(), self.end(), fell)
    }

    /// Looks again once the wait is over, as [`RetrySpec::waited`] does under a limit.
    ///
    /// # Errors
    ///
    /// The failure, with the reason for the refusal.
    #[inline]
    pub fn waited<P: Previous>(
        &self,
        spec: &RetrySpec<'_>,
        policy: &'static str,
        tries: Tries<P>,
        fell: Fell,
    ) -> Result<(), Fell> {
        if spec.is_free() {
            Ok(())
        } else {
            spec.waited(policy, tries, self.now(), self.end(), fell)
        }
    }
}

/// How many attempts of an `unlimited` retry may fail at once before it lets other tasks run.
const BREATH: u32 = 64;

impl<M: Manner> Course<M> {
    /// Lets other tasks run after every 64th attempt of a retry without a count, and starts the clock: attempts that fail
    /// at once, with no wait between them, would neither see a limit nor let anybody else run.
    #[inline]
    pub fn breathe<P: Previous>(&self, tries: Tries<P>) -> Breath {
        let due = tries.number.is_multiple_of(BREATH);
        if due {
            self.start();
        }
        Breath { due }
    }
}

/// A moment for others; made by [`Course::breathe`].
#[must_use = "futures do nothing unless polled"]
#[derive(Debug)]
pub struct Breath {
    due: bool,
}

impl Future for Breath {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.due {
            self.due = false;
            cx.waker().wake_by_ref();
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    }
}
