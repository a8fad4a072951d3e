//! A plain policy: at most one limit around a retry, and in it one attempt; besides its figures only a predicate and a budget
//! have a say.
//!
//! Most policies are. Their loop stands here, where it is compiled once, and not in each user's function. Where the operation
//! can be called anew for each attempt, as that of a policy with a name and a function whose arguments can be copied, the
//! whole run is one future, written out ([`Run`]). Where it is a body that borrows, and figures alone decide, generated code
//! calls the operation and nothing else ([`Plain`]):
//!
//! ```text
//! run.as_mut().begin();
//! let value = loop {
//!     let Some(attempt) = run.as_mut().next() else { break None };
//!     if let value @ Some(_) = run.as_mut().attempt(operation(attempt)).await { break value }
//! };
//! run.finish(value, …)
//! ```
//!
//! Both keep time as [`Timing`] says, which asks [`Solo`](crate::solo::Solo), [`Bare`](crate::bare::Bare) and
//! [`RetrySpec`] what every other run asks them.

mod payer;
mod run;
mod timing;

use core::future::Future;
use core::marker::PhantomData;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use retry_planner::{Kind, Policy};

use crate::attempt::Attempt;
use crate::course::{Course, Strict};
use crate::failure::Failure;
use crate::fall::{Fall, Fell};
use crate::observer::{self, Site, Watch};
use crate::outcome::Outcome;
use crate::retry::RetrySpec;
use crate::scope::Watched;
use crate::single::SingleLeaf;
use crate::timer::limit;

pub use payer::{Free, Payer};
pub use run::Run;
pub use timing::{Limited, Timing, Unlimited};

/// All that a run has to know of a plain policy.
#[derive(Clone, Copy, Debug)]
pub struct PlainSpec {
    /// The policy, which its attempt is named after.
    site: Site,
    retry: RetrySpec<'static>,
    /// The limit around the retry, from the run's start; `u64::MAX` where there is none.
    limit: u64,
    /// Whether that is a deadline.
    is_deadline: bool,
    /// The attempt's own bound; [`FAR`](crate::timer::FAR) where it has none.
    bound: u64,
}

impl PlainSpec {
    /// Of a policy that is plain, with its name for who watches.
    ///
    /// # Panics
    ///
    /// Where it isn't: generated code knows.
    #[must_use]
    pub const fn of(policy: &Policy<'static>, name: &'static str) -> Self {
        let (around, is_deadline) = match policy.nodes[0].kind {
            Kind::Deadline(_) => (1, true),
            Kind::Timeout(_) => (1, false),
            _ => (0, false),
        };
        Self {
            site: Site {
                policy: name,
                leaf: name,
            },
            retry: RetrySpec::of(policy, around),
            limit: if around == 0 { u64::MAX } else { limit(policy, 0) },
            is_deadline,
            bound: limit(policy, around + 1),
        }
    }
}

pin_project! {
    /// How far a run of a plain policy has come, where its operation is the body of a function or written in place.
    #[derive(Debug)]
    pub struct Plain<P, E> {
        #[pin]
        timer: Limited,
        policy: PhantomData<fn() -> P>,
        // Of the attempt that is out.
        watch: Watch<'static>,
        last: Option<E>,
        // How the last attempt has failed.
        fell: Fell,
        // Whether the run has failed so.
        is_over: bool,
    }
}

impl<P: PlainPolicy, E> Plain<P, E> {
    const SPEC: &'static PlainSpec = &P::SPEC;

    /// At its start.
    #[must_use]
    #[inline]
    #[expect(
        clippy::new_without_default,
        reason = "generated code says where a run begins"
    )]
    pub fn new() -> Self {
        Self {
            timer: Limited::new(P::NAME, Strict),
            policy: PhantomData,
            watch: Watch::NOBODY,
            last: None,
            fell: Fell::FAILED,
            is_over: false,
        }
    }

    /// Takes over the caller's limit: once the run stays where it is, for what is looked at before is moved word by word.
    #[inline]
    pub fn begin(self: Pin<&mut Self>) {
        self.project().timer.begin(Self::SPEC);
    }

    /// The next attempt; `None` where there is none, and the run has failed.
    #[must_use]
    #[inline]
    pub fn next(self: Pin<&mut Self>) -> Option<Attempt> {
        let this = self.project();
        if *this.is_over {
            return None;
        }
        match this.timer.attempt(Self::SPEC, false) {
            Ok(attempt) => {
                *this.watch = Watch::starts(&Self::SPEC.site, attempt);
                Some(attempt)
            }
            Err(fell) => {
                (*this.fell, *this.is_over) = (fell, true);
                None
            }
        }
    }

    /// The attempt that is out, and the wait after it: the run's value, or `None` where it is to be asked for the next attempt.
    #[inline]
    pub fn attempt<F>(self: Pin<&mut Self>, operation: F) -> PlainAttempt<'_, P, E, F>
    where
        F: Future<Output: Outcome<Error = E>>,
    {
        PlainAttempt {
            run: self,
            out: Out::Attempt { operation },
        }
    }

    /// The attempt has failed like this, and its error is kept: how long the run waits for the next one; zero where there is
    /// none.
    #[inline(never)]
    fn failed(self: Pin<&mut Self>, fell: Fell) -> u64 {
        let mut this = self.project();
        let (spec, tries) = (Self::SPEC, this.timer.as_mut().tries());
        let fell = this.timer.as_mut().failed(fell);
        let next = match spec.retry.ends(tries, fell) {
            Some(fell) => Err(fell),
            None => this.timer.wait(spec, P::NAME, tries, fell),
        };
        match next {
            Ok(wait) => {
                observer::waits(P::NAME, tries.number(), wait, None);
                *this.fell = fell;
                wait
            }
            Err(fell) => {
                (*this.fell, *this.is_over) = (fell, true);
                0
            }
        }
    }

    /// The end of the run: its value, or what `ended` makes of its failure.
    ///
    /// # Errors
    ///
    /// What `ended` makes.
    #[inline]
    pub fn finish<T, L>(
        self: Pin<&mut Self>,
        value: Option<T>,
        ended: impl FnOnce(&Course, Fall<E>) -> L,
    ) -> Result<T, L> {
        let this = self.project();
        let outcome = value.ok_or_else(|| {
            let fell = this.timer.through(Self::SPEC, *this.fell);
            Fall::new(fell, this.last.take())
        });
        this.timer.course().finish(outcome, ended)
    }
}

pin_project! {
    /// What is out: an attempt, or the wait after it.
    #[project = OutProject]
    #[derive(Debug)]
    enum Out<F> {
        Attempt { #[pin] operation: F },
        Wait { #[pin] wait: Watched },
        Nothing,
    }
}

pin_project! {
    /// An attempt and the wait after it; made by [`Plain::attempt`].
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct PlainAttempt<'a, P, E, F> {
        run: Pin<&'a mut Plain<P, E>>,
        #[pin]
        out: Out<F>,
    }
}

impl<P, F, T, E> Future for PlainAttempt<'_, P, E, F>
where
    P: PlainPolicy,
    F: Future<Output: Outcome<Value = T, Error = E>>,
{
    type Output = Option<T>;

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it is polled at one place of a run, and a call costs as much as all it does"
    )]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut this = self.project();
        let run = this.run;
        if let OutProject::Attempt { operation } = this.out.as_mut().project() {
            let answer = ready!(run.as_mut().project().timer.poll_leaf(operation, cx));
            // Nobody is told of its end before it is dropped.
            this.out.set(Out::Nothing);
            let mut state = run.as_mut().project();
            let answer = answer.map(Outcome::into_result);
            let fell = match mem::replace(state.watch, Watch::NOBODY).ended(answer) {
                Ok(Ok(value)) => return Poll::Ready(Some(value)),
                Ok(Err(error)) => {
                    *state.last = Some(error);
                    Fell::FAILED
                }
                Err(fell) => fell,
            };
            let wait = run.as_mut().failed(fell);
            if wait == 0 {
                return Poll::Ready(None);
            }
            state = run.as_mut().project();
            let wait = state.timer.pause(wait);
            this.out.set(Out::Wait { wait });
        }
        if let OutProject::Wait { wait } = this.out.project() {
            let state = run.as_mut().project();
            let (spec, fell) = (Plain::<P, E>::SPEC, *state.fell);
            if let Err(fell) = ready!(state.timer.poll_wait(spec, P::NAME, fell, wait, cx)) {
                (*state.fell, *state.is_over) = (fell, true);
            }
        }
        Poll::Ready(None)
    }
}

/// A policy that is plain. Generated code implements it, for a named policy or for a type of its own.
pub trait PlainPolicy {
    /// The policy's tree.
    const TREE: Policy<'static>;
    /// Its name, for who watches.
    const NAME: &'static str = Self::TREE.name;
    /// What a run has to know of it.
    const SPEC: PlainSpec = PlainSpec::of(&Self::TREE, Self::NAME);
}

/// One that has a name, and names no type of error.
///
/// Neither this trait nor [`PlainPolicy`] has parameters: some other crate could implement them for the policy then, and the
/// [`SingleLeaf`] of all others would stand against the one below.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a policy with one leaf that can fail with this error",
    label = "neither declared by `retry_policy!` with one leaf, nor for this error",
    note = "a policy with `type Error = ..;` runs only operations with that error, and one with `async` hooks none of generic code"
)]
pub trait AnyError: PlainPolicy {}

/// Runs a policy whose operation can be called anew for each attempt: `when` says whether an error is worth another one,
/// `payer` pays for it, and `ended` says what becomes of a failure. The run's outcome may be of another type than the
/// operation's.
#[inline]
pub fn run<P, Clock, O, Operation, Fut, E>(
    manner: Clock::Manner,
    operation: Operation,
    when: impl FnMut(&E) -> bool,
    payer: impl Payer,
    ended: impl FnOnce(&Course<Clock::Manner>, Fall<E>) -> O::Error + Copy,
) -> impl Future<Output = O>
where
    P: PlainPolicy,
    Clock: Timing,
    O: Outcome,
    Operation: FnMut(Attempt) -> Fut,
    Fut: Future<Output: Outcome<Value = O::Value, Error = E>>,
{
    let run = Run::<P, O, _, _, _, _, _, Clock, _>::new(manner, operation, when, payer, ended);
    #[cfg(feature = "tracing")]
    let run = observer::InSpanOf::new(P::NAME, run);
    run
}

/// Where a policy has no predicate, each error is worth another attempt.
#[must_use]
#[inline]
pub fn always<E>(_: &E) -> bool {
    true
}

impl<P: AnyError, T, E> SingleLeaf<T, E> for P {
    const TREE: Policy<'static> = <P as PlainPolicy>::TREE;

    fn run_single<Op, Fut>(operation: Op) -> impl Future<Output = Result<T, Failure<E>>> + Send
    where
        Op: Fn(Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
        T: Send,
        E: Send,
    {
        run::<P, Limited, _, _, _, _>(Strict, operation, always, Free, Course::failure)
    }
}
