//! What the executor holds while a run or an attempt is out.
//!
//! Without the features all of this is empty: it has no size, and its methods leave no code.

#[cfg(feature = "watched")]
use core::any::type_name;
use core::time::Duration;

use super::{Event, tell};
use crate::fall::{Fall, Fell};
use crate::timer::Timer;
use crate::{Attempt, Stop};
#[cfg(feature = "watched")]
use crate::{End, scope::Limit};

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

    /// It ended like this, or was cut off.
    #[inline]
    #[allow(clippy::missing_errors_doc, reason = "the outcome is handed on as it is")]
    pub fn ended<T, E>(self, outcome: Result<Result<T, E>, Fell>) -> Result<Result<T, E>, Fell> {
        #[cfg(feature = "watched")]
        if let Some(out) = { self }.out.take() {
            match &outcome {
                Ok(Ok(_)) => out.ended(End::Success, None),
                Ok(Err(_)) => out.ended(End::Failure, Some(type_name::<E>())),
                Err(fell) => out.ended(fell.end(false), None),
            }
        }
        outcome
    }
}

#[cfg(feature = "watched")]
impl Out<'_> {
    #[cold]
    fn ended(&self, end: End, error: Option<&'static str>) {
        tell(self.site.policy, || Event::End {
            leaf: self.site.leaf,
            attempt: Attempt::new(self.number, self.of, self.copy, Limit::None, None),
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
pub(crate) struct Run<'a> {
    #[cfg(feature = "watched")]
    out: Option<(&'static str, &'a Timer)>,
    #[cfg(not(feature = "watched"))]
    timer: core::marker::PhantomData<&'a Timer>,
}

#[cfg_attr(
    not(feature = "watched"),
    expect(
        unused_variables,
        clippy::needless_pass_by_ref_mut,
        clippy::unused_self,
        reason = "nobody watches"
    )
)]
impl<'a> Run<'a> {
    /// A run begins.
    #[inline]
    pub(crate) fn begins(policy: &'static str, timer: &'a Timer) -> Self {
        tell(policy, || Event::Begin);
        Self {
            #[cfg(feature = "watched")]
            out: Some((policy, timer)),
            #[cfg(not(feature = "watched"))]
            timer: core::marker::PhantomData,
        }
    }

    /// It ended like this.
    #[inline]
    pub(crate) fn ended<T, E>(&mut self, outcome: &Result<T, Fall<E>>) {
        #[cfg(feature = "watched")]
        self.stop(outcome.as_ref().err().map(|fall| fall.fell.stop()));
    }

    #[cfg(feature = "watched")]
    fn stop(&mut self, stop: Option<Stop>) {
        if let Some((policy, timer)) = self.out.take() {
            tell(policy, || Event::Stop {
                stop,
                attempts: timer.calls(),
                elapsed: Duration::from_nanos(timer.now()),
            });
        }
    }
}

#[cfg(feature = "watched")]
impl Drop for Run<'_> {
    #[inline]
    fn drop(&mut self) {
        self.stop(Some(Stop::Cancelled));
    }
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
