//! What a run tells about itself while it runs.
//!
//! The executor tells every start, end, wait, hedge, win, refusal and stop through [`tell`]. Without the features `observe`
//! and `tracing` nothing is behind it: the closure that would make the event is never called, what watches has no size, and
//! no trace of it is left in the code of a run. With them,
//!
//! - `observe`: an [`Observer`] is told, the one that was [installed](install) for the process, and those of the
//!   [scopes](crate::Scope::observed) around the run;
//! - `tracing`: each run is a span and each decision an event of that crate, with nothing to install.
//!
//! The order is that of what happens. A run begins with `Begin` and ends with `Stop`, also where its future is dropped
//! (`Stop::Cancelled`). Each `Start` has its `End`; a copy or branch that is dropped since another has decided ends as
//! `Cancelled`, before the `Stop`. After a failed attempt that is tried again comes `Wait`, also where the wait is zero;
//! after one that a budget, a limit or the scope keeps from being tried again comes `Refusal`.
//!
//! Events hold no error but its type: errors need not be printable, and what they say may be no one else's business. A hook
//! of the policy (`on_retry`) sees the error itself.
//!
//! # What `tracing` is told
//!
//! One span per run, at `INFO`, named `retry`, which the operation's own events are inside of. One event per decision
//! (a wait, a hedge, a refusal, a failed attempt) at `DEBUG`: a failed attempt that is retried is no news, so nothing
//! about a single attempt is louder than that. The outcome of the whole run is one event at `INFO`, whatever it is: what
//! level a failure deserves is for the caller to say, who gets the error.
//!
//! | field | where | what |
//! |---|---|---|
//! | `retry.policy` | span, everywhere | the policy's name |
//! | `retry.attempts` | span, outcome, a refusal | attempts started, in all leaves and copies; with a refusal, those of its node |
//! | `retry.outcome` | span, outcome | `success` or the stop's name |
//! | `retry.elapsed_ms` | outcome | whole milliseconds since something was first pending |
//! | `retry.leaf`, `retry.attempt`, `retry.copy` | attempts | which one |
//! | `retry.end`, `error.type` | a failed attempt | how it ended, and the type of the operation's error |
//! | `retry.wait_ms`, `retry.hinted` | a wait | its length, and whether a server asked for it |
//! | `retry.after_failure` | another copy | whether a failure brought it, and not the time |
//! | `retry.place` | a win | which copy or branch |
//! | `retry.stop` | a refusal | why |
//!
//! # Rooms
//!
//! - `watch`: what the executor holds while something is out, so that its end is told however it comes.
//! - `installed`: who is told.
//! - `tracing`: what that crate is told.

use core::time::Duration;

use crate::{Attempt, End, Stop};

#[cfg(feature = "observe")]
mod installed;
#[cfg(test)]
mod tests;
#[cfg(feature = "tracing")]
mod tracing;
mod watch;

#[cfg(feature = "observe")]
pub use installed::{AlreadyInstalled, install};
#[cfg(feature = "tracing")]
pub(crate) use tracing::span;
pub use watch::{InSpan, Site, Watch, entered, refused, waits, won};
#[cfg(feature = "tracing")]
pub use watch::{InSpanOf, in_span};
pub(crate) use watch::{Name, Run};

/// One thing that happened in a run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event<'r> {
    /// The run began.
    Begin,
    /// An attempt starts.
    Start {
        /// The leaf's name, or that of the nearest node around it; the policy's own where none has one.
        leaf: &'r str,
        /// The attempt.
        attempt: Attempt,
    },
    /// An attempt ended.
    End {
        /// The leaf's name.
        leaf: &'r str,
        /// The attempt, without its limit and key.
        attempt: Attempt,
        /// How: never `Throttled`, since an error is asked for its hint after the attempt's end; `Wait` tells of that.
        end: End,
        /// The type of the operation's error, if it returned one.
        error: Option<&'static str>,
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
    /// A repeat was refused: by the budget, by a limit that it would not fit, or by the scope.
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

/// Watches runs. It can't change what they do.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use retry_runtime::{Event, Observer};
///
/// /// Counts what a dashboard would show.
/// #[derive(Default)]
/// struct Waits(AtomicU64);
///
/// impl Observer for Waits {
///     fn event(&self, _policy: &'static str, event: &Event<'_>) {
///         if let Event::Wait { .. } = event {
///             self.0.fetch_add(1, Relaxed);
///         }
///     }
/// }
/// ```
pub trait Observer: Send + Sync {
    /// Is told each event of a run of `policy`, in order, as it happens, by the task that runs it.
    ///
    /// What it does is time that the run doesn't have. A panic ends the run, as one of the operation would.
    fn event(&self, policy: &'static str, event: &Event<'_>);
}

/// Tells an event to whoever watches. `event` is called only if somebody does.
#[inline]
#[cfg_attr(
    not(any(feature = "observe", feature = "tracing")),
    expect(unused_variables, reason = "without the features nobody watches")
)]
pub fn tell<'r>(policy: &'static str, event: impl FnOnce() -> Event<'r>) {
    #[cfg(feature = "watched")]
    if somebody() {
        let event = event();
        #[cfg(feature = "tracing")]
        tracing::tell(policy, &event);
        #[cfg(feature = "observe")]
        installed::tell(policy, &event);
    }
}

/// Whether anybody watches now.
#[cfg(feature = "watched")]
#[inline]
fn somebody() -> bool {
    #[cfg(feature = "observe")]
    if installed::somebody() {
        return true;
    }
    #[cfg(feature = "tracing")]
    if tracing::somebody() {
        return true;
    }
    false
}
