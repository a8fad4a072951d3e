//! How a node fails inside a run: what its enclosing nodes have to know, and nothing more.

use crate::end::End;
use crate::failure::Stop;

/// How a node failed, as the nodes around it see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fell {
    /// The operation's own error is the failure; it stands in the path's `last`.
    Failed(Stop),
    /// `until` looked at a value and it wasn't there yet; there is no error.
    NotYet(Stop),
    /// An attempt's bound or a timeout passed: an error like any other.
    TimedOut(Stop),
    /// A deadline passed: it would pass again, so every retry ends.
    Deadline,
    /// An enclosing limit has passed, and the path unwinds to it.
    Cut,
    /// The scope was cancelled, and the run unwinds.
    Cancelled,
}

impl Fell {
    /// An operation returned an error.
    pub const FAILED: Self = Self::Failed(Stop::Exhausted);
    /// A value wasn't there yet.
    pub const NOT_YET: Self = Self::NotYet(Stop::Exhausted);
    /// A bound or a timeout passed.
    pub const TIMED_OUT: Self = Self::TimedOut(Stop::TimedOut);

    /// What leaves a timeout or a bounded attempt: a cut is its own doing where no enclosing limit was earlier.
    ///
    /// At one instant the innermost limit counts first (rule 2).
    #[must_use]
    #[inline]
    pub const fn through_timeout(self, own: u64, outer: u64) -> Self {
        match self {
            Self::Cut if own <= outer => Self::TIMED_OUT,
            other => other,
        }
    }

    /// What leaves a deadline.
    #[must_use]
    #[inline]
    pub const fn through_deadline(self, own: u64, outer: u64) -> Self {
        match self {
            Self::Cut if own <= outer => Self::Deadline,
            other => other,
        }
    }

    /// The same failure for another reason: what a retry says when it gives up.
    #[must_use]
    #[inline]
    pub const fn because(self, stop: Stop) -> Self {
        match self {
            Self::Failed(_) => Self::Failed(stop),
            Self::NotYet(_) => Self::NotYet(stop),
            Self::TimedOut(_) => Self::TimedOut(stop),
            other => other,
        }
    }

    /// Whether something outside ends everything up to it: neither a retry nor a fallback goes on.
    #[must_use]
    #[inline]
    pub const fn unwinds(self) -> bool {
        matches!(self, Self::Cut | Self::Cancelled)
    }

    /// How budgets count it.
    #[must_use]
    #[inline]
    pub const fn end(self, hinted: bool) -> End {
        match self {
            Self::Failed(_) if hinted => End::Throttled,
            Self::Failed(_) => End::Failure,
            Self::NotYet(_) => End::Success,
            Self::TimedOut(_) | Self::Deadline | Self::Cut => End::TimedOut,
            Self::Cancelled => End::Cancelled,
        }
    }

    /// Why a run ended that failed like this at its root.
    #[must_use]
    pub const fn stop(self) -> Stop {
        match self {
            Self::Failed(stop) | Self::NotYet(stop) | Self::TimedOut(stop) => stop,
            // At the root, the only limit around is the caller's.
            Self::Deadline | Self::Cut => Stop::DeadlineExceeded,
            Self::Cancelled => Stop::Cancelled,
        }
    }
}

/// A path that failed: how, and the last error that an operation on it returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fall<E> {
    /// How it failed.
    pub fell: Fell,
    /// The last error; never lost, also when a limit ended the path.
    pub last: Option<E>,
}

impl<E> Fall<E> {
    /// How a path failed, with its last error.
    #[inline]
    pub const fn new(fell: Fell, last: Option<E>) -> Self {
        Self { fell, last }
    }

    /// The same failure; where no operation on its path returned an error, the last error is that of `earlier`.
    #[must_use]
    #[inline]
    pub fn after(self, earlier: Option<Self>) -> Self {
        match earlier {
            Some(earlier) if self.last.is_none() && !matches!(self.fell, Fell::NotYet(_)) => Self {
                fell: self.fell,
                last: earlier.last,
            },
            _ => self,
        }
    }

    /// Leaves the error, if there is one, in the enclosing path's `last`.
    #[inline]
    pub fn merge(self, last: &mut Option<E>) -> Fell {
        if self.last.is_some() || matches!(self.fell, Fell::NotYet(_)) {
            *last = self.last;
        }
        self.fell
    }
}
