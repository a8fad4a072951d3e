//! How a plain run keeps time: under limits, or under none.

use core::future::Future;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::PlainSpec;
use crate::attempt::Attempt;
use crate::bare::{Bare, BareWait};
use crate::course::{Course, Manner, Strict};
use crate::fall::Fell;
use crate::hook::earlier;
use crate::retry::Tries;
use crate::scope::Watched;
use crate::solo::Solo;

/// The timer of a plain run; `spec` is always the same policy's.
pub trait Timing: Sized {
    /// Whether the caller is heard from the start.
    type Manner: Manner;
    /// What a wait holds.
    type Wait;

    /// At the start of a run; `policy` is its name for who watches.
    fn new(policy: &'static str, manner: Self::Manner) -> Self;

    /// How far the run has come.
    fn course(&self) -> &Course<Self::Manner>;

    /// Takes over the caller's limit: once the run stays where it is.
    fn begin(self: Pin<&mut Self>, spec: &PlainSpec);

    /// Whether something may start now.
    ///
    /// # Errors
    ///
    /// What the path unwinds with.
    fn may_start(&self) -> Result<(), Fell>;

    /// The next attempt; where `asked`, [`may_start`](Self::may_start) has just said that it may.
    ///
    /// # Errors
    ///
    /// What the path unwinds with.
    fn attempt(self: Pin<&mut Self>, spec: &PlainSpec, asked: bool) -> Result<Attempt, Fell>;

    /// How far the retry has come, by the attempts that were started.
    fn tries(self: Pin<&mut Self>) -> Tries;

    /// Polls the attempt that is out.
    fn poll_leaf<F: Future>(
        self: Pin<&mut Self>,
        operation: Pin<&mut F>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Output, Fell>>;

    /// The attempt has failed like this: what that is to the retry. Takes the time.
    fn failed(self: Pin<&mut Self>, fell: Fell) -> Fell;

    /// Draws the wait before the next attempt, if that fits.
    ///
    /// # Errors
    ///
    /// The failure, with the reason for the refusal.
    fn wait(&self, spec: &PlainSpec, policy: &'static str, tries: Tries, fell: Fell) -> Result<u64, Fell>;

    /// A wait begins.
    fn pause(self: Pin<&mut Self>, wait: u64) -> Self::Wait;

    /// Polls a wait, and looks whether the next attempt still fits after it.
    ///
    /// # Errors
    ///
    /// What ended the wait, or the failure with the reason for the refusal.
    fn poll_wait(
        self: Pin<&mut Self>,
        spec: &PlainSpec,
        policy: &'static str,
        fell: Fell,
        wait: Pin<&mut Self::Wait>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Fell>>;

    /// What leaves the run's own limit.
    fn through(&self, spec: &PlainSpec, fell: Fell) -> Fell;

    /// The run is over, and what it still holds is dropped.
    fn release(self: Pin<&mut Self>);
}

pin_project! {
    /// Under limits.
    #[derive(Debug)]
    pub struct Limited {
        #[pin]
        solo: Solo,
        // The earlier one of the policy's limit and the caller's.
        end: u64,
        // Where the bound of the attempt that is out ends; until when the run waits, or what time it is, where none is.
        at: u64,
    }
}

impl Timing for Limited {
    type Manner = Strict;
    type Wait = Watched;

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "else the compiler moves what isn't there yet, the `Sleep`, from place to place"
    )]
    fn new(policy: &'static str, manner: Strict) -> Self {
        Self {
            end: 0,
            at: 0,
            solo: Solo::of(Course::idle(policy, manner)),
        }
    }

    #[inline]
    fn course(&self) -> &Course {
        &self.solo
    }

    #[inline]
    fn begin(self: Pin<&mut Self>, spec: &PlainSpec) {
        let mut this = self.project();
        this.solo.as_mut().begins();
        *this.end = earlier(spec.limit, this.solo.limit());
        *this.at = 0;
    }

    #[inline]
    fn may_start(&self) -> Result<(), Fell> {
        self.solo.admits(self.at, self.end)
    }

    #[inline]
    fn attempt(mut self: Pin<&mut Self>, spec: &PlainSpec, _: bool) -> Result<Attempt, Fell> {
        let number = self.as_mut().tries().number().wrapping_add(1);
        let this = self.project();
        let (now, of) = (*this.at, spec.retry.of_attempts());
        *this.at = now.wrapping_add(spec.bound);
        let end = earlier(*this.at, *this.end);
        this.solo.attempt(now, end, number, of, 1, None)
    }

    #[inline]
    fn tries(self: Pin<&mut Self>) -> Tries {
        Tries::at(self.project().solo.number())
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at one place of a run, and a call costs as much as all it does"
    )]
    fn poll_leaf<F: Future>(
        self: Pin<&mut Self>,
        operation: Pin<&mut F>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Output, Fell>> {
        let end = earlier(self.at, self.end);
        self.project().solo.poll_leaf(end, operation, cx)
    }

    #[inline]
    fn failed(self: Pin<&mut Self>, fell: Fell) -> Fell {
        let fell = fell.through_timeout(self.at, self.end);
        let this = self.project();
        *this.at = this.solo.now();
        fell
    }

    #[inline]
    fn wait(
        &self,
        spec: &PlainSpec,
        policy: &'static str,
        mut tries: Tries,
        fell: Fell,
    ) -> Result<u64, Fell> {
        spec.retry.wait(policy, &mut tries, self.at, self.end, None, fell)
    }

    #[inline]
    fn pause(self: Pin<&mut Self>, wait: u64) -> Watched {
        let at = self.project().at;
        *at = at.saturating_add(wait);
        Watched::new()
    }

    #[inline]
    fn poll_wait(
        self: Pin<&mut Self>,
        spec: &PlainSpec,
        policy: &'static str,
        fell: Fell,
        wait: Pin<&mut Watched>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Fell>> {
        let mut this = self.project();
        let tries: Tries = Tries::at(this.solo.as_mut().number());
        let paused = ready!(this.solo.as_mut().poll_pause(*this.at, wait.get_mut(), cx));
        let paused = spec.retry.paused(policy, tries, paused, *this.end, fell);
        Poll::Ready(paused.map(|now| *this.at = now))
    }

    #[inline]
    fn through(&self, spec: &PlainSpec, fell: Fell) -> Fell {
        // The caller's limit is the earlier one exactly where the policy's own isn't.
        if spec.is_deadline {
            fell.through_deadline(spec.limit, self.end)
        } else {
            fell.through_timeout(spec.limit, self.end)
        }
    }

    #[inline]
    fn release(self: Pin<&mut Self>) {}
}

/// Under no limits but the caller's.
// What it holds is released at the end of the run, so that the compiler needn't see to it where the run is dropped.
#[derive(Debug)]
pub struct Unlimited<M>(ManuallyDrop<Bare<M>>);

impl<M: Manner> Timing for Unlimited<M> {
    type Manner = M;
    type Wait = BareWait<M>;

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "else the compiler moves what isn't there yet, the `Sleep`, from place to place"
    )]
    fn new(policy: &'static str, manner: M) -> Self {
        Self(ManuallyDrop::new(Bare::of(Course::idle(policy, manner))))
    }

    #[inline]
    fn course(&self) -> &Course<M> {
        &self.0
    }

    #[inline]
    fn begin(self: Pin<&mut Self>, _: &PlainSpec) {
        self.get_mut().0.begins();
    }

    #[inline]
    fn may_start(&self) -> Result<(), Fell> {
        self.0.may_start()
    }

    #[inline]
    fn attempt(self: Pin<&mut Self>, spec: &PlainSpec, asked: bool) -> Result<Attempt, Fell> {
        let (bare, of) = (&mut self.get_mut().0, spec.retry.of_attempts());
        let number = bare.number().wrapping_add(1);
        if asked {
            bare.admitted(number, of, 1, None)
        } else {
            bare.attempt(number, of, 1, None)
        }
    }

    #[inline]
    fn tries(self: Pin<&mut Self>) -> Tries {
        Tries::at(self.get_mut().0.number())
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at one place of a run, and a call costs as much as all it does"
    )]
    fn poll_leaf<F: Future>(
        self: Pin<&mut Self>,
        operation: Pin<&mut F>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Output, Fell>> {
        self.get_mut().0.poll_leaf(operation, cx)
    }

    #[inline]
    fn failed(self: Pin<&mut Self>, fell: Fell) -> Fell {
        if let Fell::Failed(_) = fell {
            self.get_mut().0.failed();
        }
        fell
    }

    #[inline]
    fn wait(
        &self,
        spec: &PlainSpec,
        policy: &'static str,
        mut tries: Tries,
        fell: Fell,
    ) -> Result<u64, Fell> {
        self.0.wait(&spec.retry, policy, &mut tries, None, fell)
    }

    #[inline]
    fn pause(self: Pin<&mut Self>, wait: u64) -> BareWait<M> {
        BareWait::new(wait)
    }

    #[inline]
    fn poll_wait(
        mut self: Pin<&mut Self>,
        spec: &PlainSpec,
        policy: &'static str,
        fell: Fell,
        wait: Pin<&mut BareWait<M>>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Fell>> {
        ready!(wait.poll_in(&self.0, cx))?;
        let tries = self.as_mut().tries();
        Poll::Ready(self.0.waited(&spec.retry, policy, tries, fell))
    }

    #[inline]
    fn through(&self, _: &PlainSpec, fell: Fell) -> Fell {
        fell
    }

    #[inline]
    fn release(self: Pin<&mut Self>) {
        self.get_mut().0.release();
    }
}
