//! How a run ends without a value: why it stopped, and the operation's own last error.

use core::fmt;
use core::time::Duration;
use std::error::Error;
use std::io;

/// Why a run ended without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// Every attempt was made.
    #[error("every attempt failed")]
    Exhausted,
    /// `when` or `timeouts = stop` said that it won't help to try again.
    #[error("not retryable")]
    NotRetryable,
    /// The retry budget refused one more attempt.
    #[error("the retry budget refused another attempt")]
    BudgetRefused,
    /// One more attempt, its wait included, could not have ended before the limit; or the server's hint was too long.
    #[error("another attempt would not fit the limit")]
    WontFit,
    /// A timeout, or the attempt's own bound, passed.
    #[error("timed out")]
    TimedOut,
    /// The policy's deadline, or the caller's earlier one, passed.
    #[error("the deadline passed")]
    DeadlineExceeded,
    /// The caller's scope was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl Stop {
    /// The name in logs and metrics, such as `deadline_exceeded`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::NotRetryable => "not_retryable",
            Self::BudgetRefused => "budget_refused",
            Self::WontFit => "wont_fit",
            Self::TimedOut => "timed_out",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A run that failed, in full: what `run_detailed` returns.
///
/// The operation's last error is never lost, also when a limit ended the run: it is [`last`](Self::last) here, and it is
/// what the [source](Error::source) of this error is, so that a downcast finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure<E> {
    /// Why the run ended.
    pub stop: Stop,
    /// The last error that the operation returned; `None` if none of its attempts returned an error.
    pub last: Option<E>,
    /// How many attempts were started, in all leaves and copies.
    pub attempts: u32,
    /// From the first time that something in the run was pending to its end, on tokio's clock; zero if nothing was.
    pub elapsed: Duration,
}

impl<E> Failure<E> {
    /// What is left to say where the operation never returned an error.
    #[must_use]
    pub const fn interrupted(&self) -> Interrupted {
        Interrupted {
            stop: self.stop,
            attempts: self.attempts,
            elapsed: self.elapsed,
        }
    }

    /// The operation's last error as it was, else the error made from [`Interrupted`]: what a plain `.await` gives.
    #[must_use]
    pub fn into_error(self) -> E
    where
        E: FromInterrupted,
    {
        self.into_error_or(E::from_interrupted)
    }

    /// The operation's last error as it was, else what `interrupted` makes: for an error type that isn't yours.
    #[must_use]
    pub fn into_error_or(self, interrupted: impl FnOnce(Interrupted) -> E) -> E {
        let told = self.interrupted();
        match self.last {
            Some(error) => error,
            None => interrupted(told),
        }
    }

    /// The same failure of another error type.
    #[must_use]
    pub fn map<F>(self, map: impl FnOnce(E) -> F) -> Failure<F> {
        Failure {
            stop: self.stop,
            last: self.last.map(map),
            attempts: self.attempts,
            elapsed: self.elapsed,
        }
    }
}

impl<E> fmt::Display for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.interrupted().fmt(f)
    }
}

impl<E: Error + 'static> Error for Failure<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.last.as_ref().map(|error| error as _)
    }
}

/// A run that ended before the operation ever returned an error.
///
/// A policy with a limit turns this into your error type, so give that type a `From<Interrupted>`:
///
/// ```
/// # use retry_runtime::Interrupted;
/// #[derive(Debug, thiserror::Error)]
/// enum ChargeError {
///     #[error("declined")]
///     Declined,
///     #[error(transparent)]
///     Interrupted(#[from] Interrupted),
/// }
/// ```
///
/// `std::io::Error` has one, and so has every error that takes any other error in (`Box<dyn Error>`, `anyhow::Error`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{stop} ({})", Told { attempts: *attempts, elapsed: *elapsed })]
pub struct Interrupted {
    /// Why the run ended.
    pub stop: Stop,
    /// How many attempts were started, in all leaves and copies.
    pub attempts: u32,
    /// From the first time that something in the run was pending to its end, on tokio's clock; zero if nothing was.
    pub elapsed: Duration,
}

struct Told {
    attempts: u32,
    elapsed: Duration,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.attempts == 1 { "" } else { "s" };
        write!(f, "{} attempt{plural} in {:?}", self.attempts, self.elapsed)
    }
}

impl From<Interrupted> for io::Error {
    /// `TimedOut` where time ended the run, `Other` for the rest; never `Interrupted`, which `std` itself retries.
    fn from(interrupted: Interrupted) -> Self {
        let kind = match interrupted.stop {
            Stop::TimedOut | Stop::DeadlineExceeded | Stop::WontFit => io::ErrorKind::TimedOut,
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, interrupted)
    }
}

/// An error type that can say that a run was interrupted: every one with a `From<Interrupted>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't say that a limit ended the run",
    label = "this policy has a limit, and `{Self}` has no `From<Interrupted>`",
    note = "add `impl From<retry_plan::Interrupted> for {Self}` (thiserror: a variant with `#[from] Interrupted`), or write `interrupted = |i| ..` in the policy, or run a named policy by `run_detailed`"
)]
pub trait FromInterrupted: Sized {
    /// The error for a run that ended before the operation returned one.
    fn from_interrupted(interrupted: Interrupted) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<Interrupted>> FromInterrupted for E {
    fn from_interrupted(interrupted: Interrupted) -> Self {
        Self::from(interrupted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure<E>(last: Option<E>) -> Failure<E> {
        Failure {
            stop: Stop::DeadlineExceeded,
            last,
            attempts: 2,
            elapsed: Duration::from_millis(1500),
        }
    }

    #[test]
    fn a_limit_that_ends_the_run_still_gives_the_last_error() {
        let error: io::Error = failure(Some(io::Error::from(io::ErrorKind::BrokenPipe))).into_error();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn without_an_error_of_its_own_the_run_says_what_interrupted_it() {
        let error: io::Error = failure(None).into_error();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let told = error.get_ref().unwrap().downcast_ref::<Interrupted>().unwrap();
        assert_eq!(told.attempts, 2);

        let boxed: Box<dyn Error + Send + Sync> = failure(None).into_error();
        assert!(boxed.is::<Interrupted>());
    }

    #[test]
    fn a_downcast_through_the_source_finds_the_inner_error() {
        let failure = failure(Some(io::Error::from(io::ErrorKind::BrokenPipe)));
        let inner = failure.source().unwrap().downcast_ref::<io::Error>().unwrap();
        assert_eq!(inner.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn the_text_tells_stop_count_and_time() {
        assert_eq!(
            failure::<io::Error>(None).to_string(),
            "the deadline passed (2 attempts in 1.5s)"
        );
        let once = Failure::<io::Error> {
            attempts: 1,
            ..failure(None)
        };
        assert_eq!(once.to_string(), "the deadline passed (1 attempt in 1.5s)");
    }

    #[test]
    fn a_cancelled_run_is_never_an_io_interrupt_which_std_would_retry() {
        let cancelled = Interrupted {
            stop: Stop::Cancelled,
            attempts: 0,
            elapsed: Duration::ZERO,
        };
        assert_eq!(io::Error::from(cancelled).kind(), io::ErrorKind::Other);
    }
}
