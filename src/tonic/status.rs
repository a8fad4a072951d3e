//! What a status says about another attempt.

use std::time::Duration;

use http::{HeaderMap, HeaderName};
use retry_runtime::{Interrupted, Stop};
use tonic::{Code, Status};

/// `grpc-retry-pushback-ms`: when the server wants the next attempt, or that it wants none ([gRFC A6]).
///
/// [gRFC A6]: https://github.com/grpc/proposal/blob/master/A6-client-retries.md
pub const PUSHBACK: HeaderName = HeaderName::from_static("grpc-retry-pushback-ms");

/// What a server pushes back.
///
/// ```
/// # use std::time::Duration;
/// # use http::{HeaderMap, HeaderValue};
/// # use retry_plan::tonic::{PUSHBACK, Pushback};
/// let mut headers = HeaderMap::new();
/// assert_eq!(Pushback::read(&headers), Pushback::None);
/// headers.insert(PUSHBACK, HeaderValue::from_static("250"));
/// assert_eq!(Pushback::read(&headers).wait(), Some(Duration::from_millis(250)));
/// headers.insert(PUSHBACK, HeaderValue::from_static("-1"));
/// assert_eq!(Pushback::read(&headers), Pushback::Never);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pushback {
    /// It says nothing.
    None,
    /// Come back after this.
    After(Duration),
    /// Don't come back: a negative number, or one that can't be read.
    Never,
}

impl Pushback {
    /// Reads the header; of several, the one that asks for most.
    #[must_use]
    pub fn read(headers: &HeaderMap) -> Self {
        headers.get_all(PUSHBACK).iter().fold(Self::None, |most, value| {
            match (most, Self::parse(value.as_bytes())) {
                (Self::Never, _) | (_, Self::Never) => Self::Never,
                (Self::After(one), Self::After(other)) => Self::After(one.max(other)),
                (_, said) => said,
            }
        })
    }

    fn parse(value: &[u8]) -> Self {
        crate::wire::parse_millis(value).map_or(Self::Never, Self::After)
    }

    /// The wait that it asks for.
    #[must_use]
    pub const fn wait(self) -> Option<Duration> {
        match self {
            Self::After(wait) => Some(wait),
            Self::None | Self::Never => None,
        }
    }
}

/// Whether the same call may well work another time, by its status alone.
///
/// | code | |
/// |---|---|
/// | `UNAVAILABLE` | yes: the one that says so ([status codes]); a broken connection gives it, too |
/// | `RESOURCE_EXHAUSTED` | only where the server pushes back with a time: see [`may_retry`] |
/// | `ABORTED` | no: the whole transaction has to begin anew, not this call |
/// | `DEADLINE_EXCEEDED`, `CANCELLED` | no: it would come again |
/// | all others | no: they speak of the request, or of a fault that nobody knows the effect of |
///
/// [status codes]: https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
#[must_use]
pub const fn is_transient(code: Code) -> bool {
    matches!(code, Code::Unavailable)
}

/// A policy's `when`: the code is transient, or the server says when to come back; never where it pushes back with
/// "never".
///
/// ```
/// # use retry_plan::tonic::may_retry;
/// # use tonic::Status;
/// let mut status = Status::unavailable("starting");
/// assert!(may_retry(&status));
/// status.metadata_mut().insert("grpc-retry-pushback-ms", (-1).into());
/// assert!(!may_retry(&status), "the server says never");
/// assert!(!may_retry(&Status::not_found("no such order")));
/// ```
#[must_use]
pub fn may_retry(status: &Status) -> bool {
    asks_for_another(status.code(), Pushback::read(status.metadata().as_ref()))
}

pub(super) fn asks_for_another(code: Code, pushback: Pushback) -> bool {
    match pushback {
        Pushback::Never => false,
        Pushback::None => is_transient(code),
        Pushback::After(_) => is_transient(code) || matches!(code, Code::ResourceExhausted),
    }
}

/// A policy's `retry_after`: the wait that the server asks for.
#[must_use]
pub fn pushback(status: &Status) -> Option<Duration> {
    Pushback::read(status.metadata().as_ref()).wait()
}

/// A policy's `interrupted`: the status of a run that ended before the server had answered.
///
/// `DEADLINE_EXCEEDED` where time ended it, else `CANCELLED`; the [`Interrupted`] is its source.
#[must_use]
pub fn interrupted(interrupted: Interrupted) -> Status {
    let code = match interrupted.stop {
        Stop::TimedOut | Stop::DeadlineExceeded | Stop::WontFit => Code::DeadlineExceeded,
        _ => Code::Cancelled,
    };
    let mut status = Status::new(code, interrupted.to_string());
    status.set_source(std::sync::Arc::new(interrupted));
    status
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;
    use tonic::metadata::MetadataMap;

    use super::*;

    fn status(code: Code, pushback: &[&str]) -> Status {
        let mut headers = HeaderMap::new();
        for value in pushback {
            headers.append(PUSHBACK, HeaderValue::from_str(value).unwrap());
        }
        Status::with_metadata(code, "no", MetadataMap::from_headers(headers))
    }

    #[test]
    fn of_all_codes_only_unavailable_is_transient() {
        let transient: Vec<Code> = (0..17)
            .map(Code::from)
            .filter(|code| is_transient(*code))
            .collect();
        assert_eq!(transient, [Code::Unavailable]);
    }

    #[test]
    fn a_pushback_with_a_time_is_waited_for() {
        let told = status(Code::Unavailable, &["250"]);
        assert!(may_retry(&told));
        assert_eq!(pushback(&told), Some(Duration::from_millis(250)));
        assert!(may_retry(&status(Code::ResourceExhausted, &["0"])));
        assert!(!may_retry(&status(Code::ResourceExhausted, &[])));
        assert!(
            !may_retry(&status(Code::InvalidArgument, &["250"])),
            "a hint doesn't mend a request"
        );
    }

    #[test]
    fn a_negative_or_unreadable_pushback_forbids_every_retry() {
        for never in ["-1", "-0", "", "soon", "1.5", "1e3", " 1", "0x1"] {
            let told = status(Code::Unavailable, &[never]);
            assert!(!may_retry(&told), "{never:?}");
            assert_eq!(pushback(&told), None, "{never:?}");
        }
        assert!(!may_retry(&status(Code::Unavailable, &["5", "-1"])));
    }

    #[test]
    fn of_several_the_longest_is_waited_for_and_a_huge_one_saturates() {
        assert_eq!(
            pushback(&status(Code::Unavailable, &["5", "70", "6"])),
            Some(Duration::from_millis(70))
        );
        let huge = status(Code::Unavailable, &["99999999999999999999999999"]);
        assert_eq!(pushback(&huge), Some(Duration::from_millis(u64::MAX)));
    }

    #[test]
    fn an_interrupted_run_has_a_status_that_says_why() {
        let told = Interrupted {
            stop: Stop::DeadlineExceeded,
            attempts: 2,
            elapsed: Duration::from_secs(1),
        };
        let status = interrupted(told);
        assert_eq!(status.code(), Code::DeadlineExceeded);
        assert_eq!(status.message(), "the deadline passed (2 attempts in 1s)");
        let source = std::error::Error::source(&status).unwrap();
        assert_eq!(source.downcast_ref(), Some(&told));
    }

    proptest! {
        #[test]
        fn no_pushback_of_any_bytes_panics(value in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                headers.append(PUSHBACK, value);
            }
            let _ = Pushback::read(&headers);
        }
    }
}
