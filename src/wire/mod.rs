//! Deadlines and attempt counts across processes: what a caller has left, in headers.
//!
//! [`Outgoing`] writes what remains of *this* attempt, less a margin for the way, into a request; [`Incoming`] reads it
//! at the other end and makes a [`Scope`](retry_runtime::Scope) of it, in which every policy ends in time.
//!
//! | header | form | who speaks it |
//! |---|---|---|
//! | `grpc-timeout` | time left, `250m` | gRPC |
//! | `x-envoy-expected-rq-timeout-ms` | time left, in milliseconds | Envoy and its meshes |
//! | `x-request-deadline` | a point on the wall clock, in Unix milliseconds (RFC 3339 is read, too) | hand-made |
//! | `grpc-previous-rpc-attempts` | attempts before this one | gRPC (gRFC A6) |
//! | `x-envoy-attempt-count` | this attempt, from 1 | Envoy |
//!
//! Headers come from strangers. A value that isn't of its header's form is as good as none, and is
//! [told](Incoming::malformed); a number beyond any range saturates; of several values the strictest counts. None makes
//! time longer than the others say.

mod attempts;
mod duration;
mod incoming;
mod outgoing;

pub use attempts::{ENVOY_ATTEMPT_COUNT, GRPC_PREVIOUS_ATTEMPTS, parse_count};
pub use duration::{
    Malformed, format_deadline, format_grpc_timeout, format_millis, parse_deadline, parse_grpc_timeout,
    parse_millis,
};
pub use incoming::Incoming;
pub use outgoing::{Late, Outgoing};

use http::{HeaderName, HeaderValue};
use std::time::{Duration, SystemTime};

/// A header that carries a deadline.
///
/// ```
/// # use std::time::{Duration, SystemTime};
/// # use retry_plan::wire::Header;
/// let now = SystemTime::now();
/// let value = Header::Grpc.format(Duration::from_millis(250), now);
/// assert_eq!(value, "250000u");
/// assert_eq!(Header::Grpc.parse(value.as_bytes(), now), Ok(Duration::from_millis(250)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Header {
    /// `grpc-timeout`
    Grpc,
    /// `x-envoy-expected-rq-timeout-ms`
    Envoy,
    /// `x-request-deadline`, for which the clocks of both machines have to agree.
    Deadline,
}

impl Header {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Grpc, Self::Envoy, Self::Deadline];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> HeaderName {
        HeaderName::from_static(match self {
            Self::Grpc => "grpc-timeout",
            Self::Envoy => "x-envoy-expected-rq-timeout-ms",
            Self::Deadline => "x-request-deadline",
        })
    }

    /// The time left that the value tells.
    ///
    /// # Errors
    ///
    /// A value of another form.
    pub fn parse(self, value: &[u8], now: SystemTime) -> Result<Duration, Malformed> {
        match self {
            Self::Grpc => parse_grpc_timeout(value),
            Self::Envoy => parse_millis(value),
            Self::Deadline => parse_deadline(value).map(|at| at.duration_since(now).unwrap_or_default()),
        }
    }

    /// The value that tells this time left, never more of it.
    ///
    /// # Panics
    ///
    /// Never: digits and letters make a header.
    #[must_use]
    pub fn format(self, remaining: Duration, now: SystemTime) -> HeaderValue {
        let text = match self {
            Self::Grpc => format_grpc_timeout(remaining),
            Self::Envoy => format_millis(remaining),
            Self::Deadline => match now.checked_add(remaining) {
                Some(at) => format_deadline(at),
                None => u64::MAX.to_string(),
            },
        };
        HeaderValue::try_from(text).expect("digits and letters make a header")
    }
}
