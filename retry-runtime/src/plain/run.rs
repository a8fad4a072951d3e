//! The run of a plain policy whose operation can be called anew for each attempt: one future, written out.
//!
//! An `async` block would be shorter, but costs a jump through a table and six saved registers at each poll, and each call
//! that lies in it is one more future around the operation. This one returns at once where the operation does, and has all
//! that follows a failure out of line.

use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::payer::Payer;
use super::timing::Timing;
use super::{PlainPolicy, PlainSpec};
use crate::attempt::Attempt;
use crate::course::Course;
use crate::end::End;
use crate::failure::Stop;
use crate::fall::{Fall, Fell};
use crate::observer::{self, Watch};
use crate::outcome::Outcome;
use crate::rare::{self, Seldom};

pin_project! {
    /// A run that brings an `O`; made by [`run`](super::run).
    #[must_use = "futures do nothing unless polled"]
    #[project = RunProject]
    #[derive(Debug)]
    pub struct Run<P, O, Operation, Fut, E, When, Pays: Payer, Clock: Timing, Ended> {
        #[pin]
        out: Out<Fut, Pays::Charge, Clock::Wait>,
        // Of the attempt that is out.
        watch: Watch<'static>,
        payer: Pays,
        last: Option<E>,
        #[pin]
        timer: Clock,
        operation: Operation,
        when: When,
        ended: Ended,
        policy: PhantomData<fn() -> (P, O)>,
    }

    impl<P, O, Operation, Fut, E, When, Pays: Payer, Clock: Timing, Ended> PinnedDrop
        for Run<P, O, Operation, Fut, E, When, Pays, Clock, Ended>
    {
        #[inline]
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if !matches!(*this.out, Out::Over) {
                abandon(this.out.as_mut(), this.watch, this.timer, this.payer);
            }
            rare::gone(matches!(*this.out, Out::Over));
        }
    }
}

/// A run is dropped before its end.
#[cold]
#[inline(never)]
fn abandon<F, W, Pays: Payer>(
    mut out: Pin<&mut Out<F, Pays::Charge, W>>,
    watch: &mut Watch<'static>,
    mut timer: Pin<&mut impl Timing>,
    payer: &mut Pays,
) {
    payer.dropped(timer.as_mut().tries().number() > 0);
    out.set(Out::Over);
    // Who watches is told of the attempt's end, and then of the run's.
    *watch = Watch::NOBODY;
    timer.release();
}

pin_project! {
    /// What is out: an attempt, or the wait after it.
    #[project = OutProject]
    #[derive(Debug)]
    #[repr(u8)]
    enum Out<F, C, W> {
        Start,
        Attempt { #[pin] operation: F },
        // The last attempt has failed, and it is decided what follows.
        Failed,
        // How the last attempt has failed, what pays for the next one, and what is waited for.
        Wait { fell: Fell, charge: Seldom<C>, #[pin] wait: W },
        Over,
    }
}

impl<P, O, Operation, Fut, E, When, Pays, Clock, Ended> Run<P, O, Operation, Fut, E, When, Pays, Clock, Ended>
where
    P: PlainPolicy,
    Operation: FnMut(Attempt) -> Fut,
    When: FnMut(&E) -> bool,
    Pays: Payer,
    Clock: Timing,
{
    const SPEC: &'static PlainSpec = &P::SPEC;

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "else the compiler moves what isn't there yet, the `Sleep`, from place to place"
    )]
    pub(super) fn new(
        manner: Clock::Manner,
        operation: Operation,
        when: When,
        payer: Pays,
        ended: Ended,
    ) -> Self {
        Self {
            out: Out::Start,
            watch: Watch::NOBODY,
            payer,
            last: None,
            timer: Clock::new(P::NAME, manner),
            operation,
            when,
            ended,
            policy: PhantomData,
        }
    }

    /// The first attempt.
    #[inline]
    fn begin(self: Pin<&mut Self>) -> Result<(), Fell> {
        let mut this = self.project();
        this.timer.as_mut().begin(Self::SPEC);
        if Pays::PAYS {
            // What never starts a call funds nothing.
            this.timer.may_start()?;
            this.payer.first();
        }
        Self::next::<true>(this, Pays::PAYS)
    }

    /// The next attempt; where `asked`, it may start.
    #[inline]
    fn next<const FIRST: bool>(
        mut this: RunProject<'_, P, O, Operation, Fut, E, When, Pays, Clock, Ended>,
        asked: bool,
    ) -> Result<(), Fell> {
        let attempt = this.timer.attempt(Self::SPEC, asked)?;
        *this.watch = Watch::starts(&Self::SPEC.site, attempt);
        if FIRST {
            // The compiler can't know that nothing else is out by now, and would see to dropping that.
            rare::gone(matches!(*this.out, Out::Start));
        }
        let operation = (this.operation)(attempt);
        this.out.set(Out::Attempt { operation });
        Ok(())
    }

    /// The attempt has failed like this, and its error is kept: what follows is out then.
    #[inline(never)]
    fn failed(self: Pin<&mut Self>, fell: Fell) -> Result<(), Fell> {
        let mut this = self.project();
        let (spec, policy, tries) = (Self::SPEC, P::NAME, this.timer.as_mut().tries());
        let fell = this.timer.as_mut().failed(fell);
        this.payer.failed(fell.end(false));
        if let Some(fell) = spec.retry.ends(tries, fell) {
            return Err(fell);
        }
        if let (Fell::Failed(_), Some(error)) = (fell, &*this.last)
            && !(this.when)(error)
        {
            return Err(fell.because(Stop::NotRetryable));
        }
        let wait = this.timer.wait(spec, policy, tries, fell)?;
        let Some(charge) = this.payer.admit(fell.repeat()) else {
            observer::refused(policy, tries.number(), Stop::BudgetRefused);
            return Err(fell.because(Stop::BudgetRefused));
        };
        observer::waits(policy, tries.number(), wait, None);
        if wait == 0 {
            return Self::again(this, charge);
        }
        let (charge, wait) = (Seldom::new(Some(charge)), this.timer.as_mut().pause(wait));
        this.out.set(Out::Wait { fell, charge, wait });
        Ok(())
    }

    /// The attempt after one that has failed, and after the wait.
    #[inline]
    fn again(
        this: RunProject<'_, P, O, Operation, Fut, E, When, Pays, Clock, Ended>,
        charge: Pays::Charge,
    ) -> Result<(), Fell> {
        if Pays::PAYS {
            // A repeat that can't start gives back what was paid for it.
            this.timer.may_start()?;
        }
        this.payer.again(charge);
        Self::next::<false>(this, Pays::PAYS)
    }

    /// Polls the wait, if one is out.
    #[inline(never)]
    fn waits(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Fell>> {
        let mut this = self.project();
        let OutProject::Wait { fell, charge, wait } = this.out.as_mut().project() else {
            return Poll::Ready(Ok(()));
        };
        let (spec, fell) = (Self::SPEC, *fell);
        ready!(this.timer.as_mut().poll_wait(spec, P::NAME, fell, wait, cx))?;
        Poll::Ready(match charge.get_mut().take() {
            Some(charge) => Self::again(this, charge),
            None => Ok(()),
        })
    }

    /// Polls the attempt that is out: the run's value, or how the attempt has failed.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at two places of a run, and a call costs as much as all it does"
    )]
    fn poll_attempt<const FIRST: bool>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<O::Value, Fell>>
    where
        O: Outcome,
        Fut: Future<Output: Outcome<Value = O::Value, Error = E>>,
    {
        let mut this = self.project();
        let OutProject::Attempt { operation } = this.out.as_mut().project() else {
            panic!("a run was polled after it had ended");
        };
        let answer = ready!(this.timer.as_mut().poll_leaf(operation, cx));
        // Nobody is told of its end before it is dropped.
        Poll::Ready(match answer.map(Outcome::into_result) {
            Ok(Ok(value)) => {
                Self::ended::<true>(this.out);
                this.watch.told::<E>(End::Success);
                this.timer.course().succeeded();
                if FIRST {
                    // Nothing has been pending, so that there is nothing to release.
                    this.payer.first_succeeded();
                } else {
                    this.payer.succeeded();
                    this.timer.release();
                }
                Ok(value)
            }
            Ok(Err(error)) => {
                Self::ended::<false>(this.out);
                this.watch.told::<E>(End::Failure);
                *this.last = Some(error);
                Err(Fell::FAILED)
            }
            Err(fell) => {
                Self::ended::<false>(this.out);
                this.watch.told::<E>(fell.end(false));
                Err(fell)
            }
        })
    }

    /// Drops the attempt that is out, the last one where it is `OVER`.
    #[inline]
    fn ended<const OVER: bool>(mut out: Pin<&mut Out<Fut, Pays::Charge, Clock::Wait>>) {
        // The compiler can't know that nothing else is out by now, and would see to dropping that.
        rare::gone(matches!(*out, Out::Attempt { .. }));
        // Written here, for a value that is handed on is moved with all that it might hold.
        if OVER {
            out.set(Out::Over);
        } else {
            out.set(Out::Failed);
        }
    }

    /// The first poll.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "a run that succeeds at once is nothing but this, and a call is a good part of it"
    )]
    fn start(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<O>
    where
        O: Outcome,
        Fut: Future<Output: Outcome<Value = O::Value, Error = E>>,
        Ended: FnOnce(&Course<Clock::Manner>, Fall<E>) -> O::Error + Copy,
    {
        if let Err(fell) = self.as_mut().begin() {
            return self.lost(fell);
        }
        match ready!(self.as_mut().poll_attempt::<true>(cx)) {
            Ok(value) => Poll::Ready(O::from_result(Ok(value))),
            Err(fell) => match self.as_mut().failed(fell) {
                Ok(()) => self.resume(cx),
                Err(fell) => self.lost(fell),
            },
        }
    }

    /// Any other poll: of the wait or the attempt that is out, and of what follows them.
    #[inline(never)]
    fn resume(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<O>
    where
        O: Outcome,
        Fut: Future<Output: Outcome<Value = O::Value, Error = E>>,
        Ended: FnOnce(&Course<Clock::Manner>, Fall<E>) -> O::Error + Copy,
    {
        loop {
            if let Out::Wait { .. } = self.out
                && let Err(fell) = ready!(self.as_mut().waits(cx))
            {
                return self.lost(fell);
            }
            match ready!(self.as_mut().poll_attempt::<false>(cx)) {
                Ok(value) => return Poll::Ready(O::from_result(Ok(value))),
                Err(fell) => {
                    if let Err(fell) = self.as_mut().failed(fell) {
                        return self.lost(fell);
                    }
                }
            }
        }
    }

    /// The run has failed.
    #[cold]
    #[inline(never)]
    fn lost(self: Pin<&mut Self>, fell: Fell) -> Poll<O>
    where
        O: Outcome,
        Ended: FnOnce(&Course<Clock::Manner>, Fall<E>) -> O::Error + Copy,
    {
        let mut this = self.project();
        this.out.set(Out::Over);
        this.payer.close();
        let fell = this.timer.through(Self::SPEC, fell);
        let outcome = Err(Fall::new(fell, this.last.take()));
        let ended = this.timer.course().finish(outcome, *this.ended);
        this.timer.release();
        Poll::Ready(O::from_result(ended))
    }
}

impl<P, O, Operation, Fut, E, When, Pays, Clock, Ended> Future
    for Run<P, O, Operation, Fut, E, When, Pays, Clock, Ended>
where
    P: PlainPolicy,
    O: Outcome,
    Operation: FnMut(Attempt) -> Fut,
    Fut: Future<Output: Outcome<Value = O::Value, Error = E>>,
    When: FnMut(&E) -> bool,
    Pays: Payer,
    Clock: Timing,
    Ended: FnOnce(&Course<Clock::Manner>, Fall<E>) -> O::Error + Copy,
{
    type Output = O;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<O> {
        if let Out::Start = self.out {
            self.start(cx)
        } else {
            self.resume(cx)
        }
    }
}
