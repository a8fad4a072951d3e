//! What a policy sees of an HTTP call that asks for another attempt.

use std::fmt;
use std::time::{Duration, SystemTime};

use http::{HeaderMap, StatusCode};
use retry_runtime::Interrupted;

use super::{is_transient, retry_after};

/// A call that may well work another time: the error type of policies for HTTP (`type Error = Failed;`).
///
/// It is small and holds neither the response nor the client's error. The layer or client that runs the policy keeps the
/// last of those and gives it back as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    fault: Fault,
    retry_after: Option<Duration>,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// An answer with this status.
    Status(StatusCode),
    /// No connection: nothing was sent.
    Connect,
    /// The client's own time limit.
    Timeout,
    /// The connection broke, or what came over it wasn't HTTP: nobody knows whether the request was handled.
    Transport,
    /// A limit of the policy, before any attempt had ended.
    Interrupted(Interrupted),
}

impl Failed {
    /// A failure without a hint of when to come back.
    #[must_use]
    pub const fn new(fault: Fault) -> Self {
        Self {
            fault,
            retry_after: None,
        }
    }

    /// The same with the server's hint.
    #[must_use]
    pub const fn after(self, retry_after: Option<Duration>) -> Self {
        Self { retry_after, ..self }
    }

    /// What went wrong.
    #[must_use]
    pub const fn fault(&self) -> Fault {
        self.fault
    }

    /// The answer's status, if there was one.
    #[must_use]
    pub const fn status(&self) -> Option<StatusCode> {
        match self.fault {
            Fault::Status(status) => Some(status),
            _ => None,
        }
    }

    /// How long the server asked to be left alone: a policy's `retry_after`.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl From<Interrupted> for Failed {
    fn from(interrupted: Interrupted) -> Self {
        Self::new(Fault::Interrupted(interrupted))
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            Fault::Status(status) => write!(f, "the server answered {status}")?,
            Fault::Connect => f.write_str("no connection")?,
            Fault::Timeout => f.write_str("the client's time limit passed")?,
            Fault::Transport => f.write_str("the connection failed")?,
            Fault::Interrupted(interrupted) => interrupted.fmt(f)?,
        }
        match self.retry_after {
            Some(wait) => write!(f, ", and asked for {wait:?}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::Interrupted(interrupted) => Some(interrupted),
            _ => None,
        }
    }
}

/// Whether this answer to a request that [may be repeated](super::may_repeat) asks for another attempt, and after what
/// wait; `None` where it is final.
///
/// ```
/// # use http::{HeaderMap, HeaderValue, StatusCode, header::RETRY_AFTER};
/// # use retry_plan::http::asks_for_another;
/// let mut headers = HeaderMap::new();
/// headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
/// let failed = asks_for_another(StatusCode::SERVICE_UNAVAILABLE, &headers).unwrap();
/// assert_eq!(failed.retry_after().unwrap().as_secs(), 2);
/// assert!(asks_for_another(StatusCode::NOT_FOUND, &headers).is_none());
/// ```
#[must_use]
pub fn asks_for_another(status: StatusCode, headers: &HeaderMap) -> Option<Failed> {
    is_transient(status)
        .then(|| Failed::new(Fault::Status(status)).after(retry_after(headers, SystemTime::now())))
}
