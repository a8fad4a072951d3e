//! What the executor holds while a run or an attempt is out.
//!
//! Without the features all of this is empty: it has no size, and its methods leave no code.

#[cfg(feature = "watched")]
use core::any::type_name;
#[cfg(feature = "tracing")]
use core::future::Future;
#[cfg(feature = "tracing")]
use core::pin::Pin;
#[cfg(feature = "watched")]
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(feature = "tracing")]
use core::task::{Context, Poll};
use core::time::Duration;

use super::{Event, tell};
use crate::fall::{Fall, Fell};
#[cfg(feature = "watched")]
use crate::scope::Limit;
use crate::{Attempt, End, Stop};

/// Where an attempt stands, in the program's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The policy's name.
    pub policy: &'static str,
    /// The leaf's name.
    pub leaf: &'static str,
}

/// A policy's name where somebody may ask for it, and nothing where nobody can.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    #[cfg(feature = "watched")]
    name: &'static str,
}

impl Name {
    #[inline]
    #[cfg_attr(
        not(feature = "watched"),
        expect(unused_variables, reason = "nobody can ask for it")
    )]
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            #[cfg(feature = "watched")]
            name,
        }
    }

    #[inline]
    #[cfg_attr(
        not(feature = "watched"),
        expect(clippy::unused_self, reason = "nobody watches")
    )]
    pub(crate) fn tell<'r>(self, event: impl FnOnce() -> Event<'r>) {
        #[cfg(feature = "watched")]
        tell(self.name, event);
        #[cfg(not(feature = "watched"))]
        tell("", event);
    }
}

/// An attempt that is out. Dropped before its end was told, it ends as cancelled.
#[derive(Debug)]
#[must_use = "an attempt ends with a word about how"]
pub struct Watch<'s> {
    #[cfg(feature = "watched")]
    out: Option<Out<'s>>,
    #[cfg(not(feature = "watched"))]
    site: core::marker::PhantomData<&'s Site>,
}

#[cfg(feature = "watched")]
#[derive(Debug)]
struct Out<'s> {
    site: &'s Site,
    number: u32,
    /// Zero where there is no count.
    of: u32,
    copy: u32,
}

#[cfg_attr(not(feature = "watched"), expect(unused_variables, reason = "nobody watches"))]
impl<'s> Watch<'s> {
    /// An attempt starts.
    #[inline]
    pub fn starts(site: &'s Site, attempt: Attempt) -> Self {
        Self {
            #[cfg(feature = "watched")]
            out: super::somebody().then(|| {
                tell(site.policy, || Event::Start {
                    leaf: site.leaf,
                    attempt,
                });
                Out {
                    site,
                    number: attempt.number(),
                    of: attempt.of().unwrap_or(0),
                    copy: attempt.copy(),
                }
            }),
            #[cfg(not(feature = "watched"))]
            site: core::marker::PhantomData,
        }
    }

    /// Of nothing.
    pub(crate) const NOBODY: Self = Self {
        #[cfg(feature = "watched")]
        out: None,
        #[cfg(not(feature = "watched"))]
        site: core::marker::PhantomData,
    };

    /// It ended like this, or was cut off.
    #[inline]
    #[allow(clippy::missing_errors_doc, reason = "the outcome is handed on as it is")]
    pub fn ended<T, E>(self, outcome: Result<Result<T, E>, Fell>) -> Result<Result<T, E>, Fell> {
        { self }.told::<E>(match &outcome {
            Ok(Ok(_)) => End::Success,
            Ok(Err(_)) => End::Failure,
            Err(fell) => fell.end(false),
        });
        outcome
    }

    /// It ended like this, if that wasn't told; `E` is the operation's error.
    #[inline]
    #[cfg_attr(
        not(feature = "watched"),
        expect(clippy::unused_self, reason = "nobody watches")
    )]
    pub(crate) fn told<E>(&mut self, end: End) {
        #[cfg(feature = "watched")]
        if let Some(out) = self.out.take() {
            out.ended(end, matches!(end, End::Failure).then(type_name::<E>));
        }
    }
}

#[cfg(feature = "watched")]
impl Out<'_> {
    #[cold]
    fn ended(&self, end: End, error: Option<&'static str>) {
        tell(self.site.policy, || Event::End {
            leaf: self.site.leaf,
            attempt: Attempt::new(self.number, self.of, self.copy, Limit::NONE, None),
            end,
            error,
        });
    }
}

#[cfg(feature = "watched")]
impl Drop for Watch<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(out) = &self.out {
            out.ended(End::Cancelled, None);
        }
    }
}

/// A run that is out. Dropped before its end was told, it was cancelled.
#[derive(Debug)]
pub(crate) struct Run {
    #[cfg(feature = "watched")]
    policy: &'static str,
    #[cfg(feature = "watched")]
    out: AtomicBool,
}

#[cfg_attr(
    not(feature = "watched"),
    expect(unused_variables, clippy::unused_self, reason = "nobody watches")
)]
impl Run {
    /// A run that has yet to begin.
    #[inline]
    pub(crate) const fn idle(policy: &'static str) -> Self {
        Self {
            #[cfg(feature = "watched")]
            policy,
            #[cfg(feature = "watched")]
            out: AtomicBool::new(false),
        }
    }

    /// It begins.
    #[inline]
    pub(crate) fn begins(&self) {
        #[cfg(feature = "watched")]
        {
            tell(self.policy, || Event::Begin);
            self.out.store(true, Relaxed);
        }
    }

    /// It ended like this; `course` says after how many attempts, and how long it took.
    #[inline]
    pub(crate) fn ended<T, E>(&self, outcome: &Result<T, Fall<E>>, course: impl FnOnce() -> (u32, Duration)) {
        #[cfg(feature = "watched")]
        self.stop(outcome.as_ref().err().map(|fall| fall.fell.stop()), course);
    }

    /// It was dropped, which is no news after its end.
    #[cfg(feature = "watched")]
    pub(crate) fn dropped(&self, course: impl FnOnce() -> (u32, Duration)) {
        self.stop(Some(Stop::Cancelled), course);
    }

    #[cfg(feature = "watched")]
    fn stop(&self, stop: Option<Stop>, course: impl FnOnce() -> (u32, Duration)) {
        if self.out.swap(false, Relaxed) {
            tell(self.policy, || {
                let (attempts, elapsed) = course();
                Event::Stop {
                    stop,
                    attempts,
                    elapsed,
                }
            });
        }
    }
}

/// A run that blocks its thread, in its span; ended by being dropped.
#[derive(Debug)]
#[must_use = "the span is left when this is dropped"]
pub struct InSpan {
    #[cfg(feature = "tracing")]
    _entered: tracing::span::EnteredSpan,
}

/// Enters the span of a run that blocks its thread, where there is one.
#[inline]
#[cfg_attr(
    not(feature = "tracing"),
    expect(unused_variables, reason = "without the feature there is no span")
)]
pub fn entered(policy: &'static str) -> InSpan {
    InSpan {
        #[cfg(feature = "tracing")]
        _entered: super::span(policy).entered(),
    }
}

/// A run in its span.
#[cfg(feature = "tracing")]
pub fn in_span<F: Future>(policy: &'static str, run: F) -> tracing::instrument::Instrumented<F> {
    tracing::Instrument::instrument(run, super::span(policy))
}

#[cfg(feature = "tracing")]
pin_project_lite::pin_project! {
    /// A run that is a future of its own, in its span, which begins where it is first polled.
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct InSpanOf<F> {
        policy: &'static str,
        span: Option<tracing::Span>,
        #[pin]
        run: Option<F>,
    }

    impl<F> PinnedDrop for InSpanOf<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            let _entered = this.span.as_ref().map(tracing::Span::enter);
            this.run.set(None);
        }
    }
}

#[cfg(feature = "tracing")]
impl<F> InSpanOf<F> {
    /// A run of that policy.
    pub(crate) const fn new(policy: &'static str, run: F) -> Self {
        Self {
            policy,
            span: None,
            run: Some(run),
        }
    }
}

#[cfg(feature = "tracing")]
impl<F: Future> Future for InSpanOf<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let policy = *this.policy;
        let _entered = this.span.get_or_insert_with(|| super::span(policy)).enter();
        this.run.as_pin_mut().map_or(Poll::Pending, |run| run.poll(cx))
    }
}

/// A run in its span: what is in braces, awaited.
#[cfg(feature = "tracing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __in_span {
    ($policy:expr, $run:block) => {
        $crate::observer::in_span($policy, async $run).await
    };
}

/// Without spans, a run is what is in braces, and no future of its own.
#[cfg(not(feature = "tracing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __in_span {
    ($policy:expr, $run:block) => {
        $run
    };
}

/// Tells that a retry tries again, after a wait.
#[inline]
pub fn waits(policy: &'static str, attempt: u32, wait: u64, hint: Option<Duration>) {
    tell(policy, || Event::Wait {
        attempt,
        wait: Duration::from_nanos(wait),
        hinted: hint.is_some_and(|hint| crate::timer::nanos(hint) == wait && wait > 0),
    });
}

/// Tells that a repeat was refused.
#[inline]
pub fn refused(policy: &'static str, attempts: u32, stop: Stop) {
    tell(policy, || Event::Refusal { attempts, stop });
}

/// Tells that a branch of a race or a fallback brought the value.
#[inline]
pub fn won(policy: &'static str, place: u32) {
    tell(policy, || Event::Win { place });
}
