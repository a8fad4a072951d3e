//! What a run tells about itself while it runs.
//!
//! An observer is a type parameter of the executor. The default, [`Silent`], has nothing behind any of its methods, so
//! that a run which nobody watches has no trace of this in its code. With the `tracing` feature, `Tracing` turns events
//! into spans and events of that crate.

use core::future::Future;
use core::time::Duration;

use crate::{Attempt, End, Stop};

#[cfg(feature = "tracing")]
mod tracing;
#[cfg(feature = "tracing")]
pub use self::tracing::Tracing;

#[cfg(test)]
mod tests;

/// One thing that happened in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'r, E: ?Sized> {
    /// An attempt starts.
    Start {
        /// The leaf's name; the policy's own where it has one leaf.
        leaf: &'r str,
        /// The attempt.
        attempt: &'r Attempt,
    },
    /// An attempt ended.
    End {
        /// The leaf's name.
        leaf: &'r str,
        /// The attempt.
        attempt: &'r Attempt,
        /// How.
        end: End,
        /// The operation's error, if it returned one.
        error: Option<&'r E>,
    },
    /// A retry waits for its next attempt.
    Wait {
        /// The attempt that failed.
        attempt: u32,
        /// How long.
        wait: Duration,
        /// Whether a server's hint made the wait longer than the backoff.
        hinted: bool,
    },
    /// A hedge launches another copy.
    Hedge {
        /// Which; the first is 1.
        copy: u32,
        /// Whether an earlier copy's failure brought it, and not the time.
        after_failure: bool,
    },
    /// A copy of a hedge, or a branch of a race or a fallback, brought the value.
    Win {
        /// Which; the first is 1.
        place: u32,
    },
    /// A repeat was refused: by the budget, by a limit that it would not fit, or by a cancelled scope.
    Refusal {
        /// How many attempts the node had made.
        attempts: u32,
        /// Why.
        stop: Stop,
    },
    /// The run ended.
    Stop {
        /// Why; `None` with a value.
        stop: Option<Stop>,
        /// How many attempts were started, in all leaves and copies.
        attempts: u32,
        /// From the first time that something in the run was pending; zero if nothing was.
        elapsed: Duration,
    },
}

/// Watches runs whose operations fail with `E`.
///
/// ```
/// use std::cell::RefCell;
/// use retry_runtime::{Event, Observer};
///
/// /// Collects the errors of a run.
/// #[derive(Default)]
/// struct Errors(RefCell<Vec<String>>);
///
/// impl<E: std::fmt::Display> Observer<E> for Errors {
///     fn event(&self, _policy: &'static str, event: &Event<'_, E>) {
///         if let Event::End { error: Some(error), .. } = event {
///             self.0.borrow_mut().push(error.to_string());
///         }
///     }
/// }
/// ```
pub trait Observer<E: ?Sized> {
    /// Whether anything is done with an event: where it's `false`, none is made.
    const ENABLED: bool = true;

    /// Is told each event of a run of `policy`, in order, as it happens. It can't change what the run does.
    fn event(&self, policy: &'static str, event: &Event<'_, E>);

    /// Wraps a whole run; the place for a span. Returns the run as it is unless overridden.
    #[inline]
    fn observe<F: Future>(&self, policy: &'static str, run: F) -> impl Future<Output = F::Output> {
        let _ = policy;
        run
    }
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Silent;

impl<E: ?Sized> Observer<E> for Silent {
    const ENABLED: bool = false;

    #[inline(always)]
    fn event(&self, _: &'static str, _: &Event<'_, E>) {}
}

impl<E: ?Sized, O: Observer<E>> Observer<E> for &O {
    const ENABLED: bool = O::ENABLED;

    #[inline]
    fn event(&self, policy: &'static str, event: &Event<'_, E>) {
        O::event(self, policy, event);
    }

    #[inline]
    fn observe<F: Future>(&self, policy: &'static str, run: F) -> impl Future<Output = F::Output> {
        O::observe(self, policy, run)
    }
}

/// Both watch; the first is told first, and its span is the outer one.
impl<E: ?Sized, A: Observer<E>, B: Observer<E>> Observer<E> for (A, B) {
    const ENABLED: bool = A::ENABLED || B::ENABLED;

    #[inline]
    fn event(&self, policy: &'static str, event: &Event<'_, E>) {
        self.0.event(policy, event);
        self.1.event(policy, event);
    }

    #[inline]
    fn observe<F: Future>(&self, policy: &'static str, run: F) -> impl Future<Output = F::Output> {
        self.0.observe(policy, self.1.observe(policy, run))
    }
}
