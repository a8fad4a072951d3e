//! What a request says about its caller.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName};
use retry_runtime::Scope;

use super::{ENVOY_ATTEMPT_COUNT, GRPC_PREVIOUS_ATTEMPTS, Header, parse_count};

/// What a caller has left, and which of its attempts this is, as its request says.
///
/// ```
/// # use std::time::Duration;
/// # use http::{HeaderMap, HeaderValue};
/// # use retry_plan::wire::Incoming;
/// let mut headers = HeaderMap::new();
/// headers.insert("grpc-timeout", HeaderValue::from_static("800m"));
/// headers.insert("grpc-previous-rpc-attempts", HeaderValue::from_static("1"));
/// let incoming = Incoming::read(&headers);
/// assert_eq!(incoming.remaining(), Some(Duration::from_millis(800)));
/// assert_eq!(incoming.attempt(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Incoming {
    remaining: Option<Duration>,
    attempt: u32,
    malformed: Vec<HeaderName>,
}

impl Incoming {
    /// Reads every header that this module knows.
    #[must_use]
    pub fn read(headers: &HeaderMap) -> Self {
        Self::read_only(headers, &Header::ALL, SystemTime::now())
    }

    /// Reads only these deadline headers, at this time on the wall clock.
    #[must_use]
    pub fn read_only(headers: &HeaderMap, known: &[Header], now: SystemTime) -> Self {
        let mut malformed = Vec::new();
        let mut remaining = None;
        for header in known {
            let name = header.name();
            for value in headers.get_all(&name) {
                match header.parse(value.as_bytes(), now) {
                    Ok(time) => remaining = Some(remaining.map_or(time, |least: Duration| least.min(time))),
                    Err(_) => malformed.push(name.clone()),
                }
            }
        }
        let mut attempt = 1_u32;
        for (name, before) in [(GRPC_PREVIOUS_ATTEMPTS, 1_u32), (ENVOY_ATTEMPT_COUNT, 0)] {
            for value in headers.get_all(&name) {
                match parse_count(value.as_bytes()) {
                    Ok(count) => attempt = attempt.max(count.saturating_add(before)),
                    Err(_) => malformed.push(name.clone()),
                }
            }
        }
        Self {
            remaining,
            attempt,
            malformed,
        }
    }

    /// The time that the caller has left; `None` where it says nothing.
    #[must_use]
    pub const fn remaining(&self) -> Option<Duration> {
        self.remaining
    }

    /// Whether the caller has given up already.
    #[must_use]
    pub const fn is_late(&self) -> bool {
        matches!(self.remaining, Some(Duration::ZERO))
    }

    /// Which of its caller's attempts this is; 1 where it says nothing.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The headers whose value wasn't of their form, once for each value.
    #[must_use]
    pub fn malformed(&self) -> &[HeaderName] {
        &self.malformed
    }

    /// The same with a margin less: the time that the answer takes on its way back.
    #[must_use]
    pub fn less(mut self, margin: Duration) -> Self {
        self.remaining = self.remaining.map(|time| time.saturating_sub(margin));
        self
    }

    /// The scope in which to handle the request, beginning now.
    pub fn scope(&self) -> Scope {
        let mut scope = Scope::new();
        if let Some(remaining) = self.remaining {
            scope = scope.within(remaining);
        }
        if self.attempt > 1 {
            scope = scope.of_attempt(self.attempt);
        }
        scope
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn headers(all: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in all {
            headers.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        headers
    }

    #[test]
    fn without_headers_nothing_is_known() {
        let incoming = Incoming::read(&HeaderMap::new());
        assert_eq!(incoming.remaining(), None);
        assert_eq!(incoming.attempt(), 1);
        assert!(!incoming.is_late());
    }

    #[test]
    fn of_several_deadlines_the_earliest_counts() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(10);
        let headers = headers(&[
            ("grpc-timeout", "2S"),
            ("grpc-timeout", "9S"),
            ("x-envoy-expected-rq-timeout-ms", "1500"),
            ("x-request-deadline", "11200"),
        ]);
        let all = Incoming::read_only(&headers, &Header::ALL, now);
        assert_eq!(all.remaining(), Some(Duration::from_millis(1200)));
        let trusted = Incoming::read_only(&headers, &[Header::Grpc], now);
        assert_eq!(trusted.remaining(), Some(Duration::from_secs(2)));
    }

    #[test]
    fn a_malformed_value_is_told_and_takes_no_deadline_away() {
        let incoming = Incoming::read(&headers(&[
            ("grpc-timeout", "soon"),
            ("grpc-timeout", "1S"),
            ("x-envoy-expected-rq-timeout-ms", "-5"),
            ("x-envoy-attempt-count", "two"),
        ]));
        assert_eq!(incoming.remaining(), Some(Duration::from_secs(1)));
        assert_eq!(incoming.attempt(), 1);
        assert_eq!(
            incoming.malformed(),
            [
                "grpc-timeout",
                "x-envoy-expected-rq-timeout-ms",
                "x-envoy-attempt-count"
            ]
        );
    }

    #[test]
    fn a_passed_deadline_is_late_and_a_margin_makes_it_so() {
        assert!(Incoming::read(&headers(&[("x-request-deadline", "1000")])).is_late());
        assert!(Incoming::read(&headers(&[("grpc-timeout", "0n")])).is_late());
        let short = Incoming::read(&headers(&[("grpc-timeout", "5m")]));
        assert!(!short.is_late());
        assert!(short.less(Duration::from_millis(5)).is_late());
    }

    #[test]
    fn attempts_are_counted_from_one_in_both_headers_and_the_higher_counts() {
        for (all, attempt) in [
            (&[("grpc-previous-rpc-attempts", "2")][..], 3),
            (&[("x-envoy-attempt-count", "2")], 2),
            (&[("x-envoy-attempt-count", "0")], 1),
            (
                &[
                    ("x-envoy-attempt-count", "2"),
                    ("grpc-previous-rpc-attempts", "4"),
                ],
                5,
            ),
            (
                &[("grpc-previous-rpc-attempts", "99999999999999999999")],
                u32::MAX,
            ),
        ] {
            assert_eq!(Incoming::read(&headers(all)).attempt(), attempt, "{all:?}");
        }
    }

    #[test]
    fn a_caller_with_all_the_time_in_the_world_makes_no_clock_overflow() {
        for far in ["99999999H", "99999999M"] {
            let scope = Incoming::read(&headers(&[("grpc-timeout", far)])).scope();
            assert!(scope.remaining().is_none_or(|left| left > Duration::from_secs(1)));
        }
        let millis = Incoming::read(&headers(&[(
            "x-envoy-expected-rq-timeout-ms",
            "18446744073709551615",
        )]));
        let _ = millis.scope();
    }

    proptest! {
        #[test]
        fn no_value_of_any_bytes_panics(
            values in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..30), 5)
        ) {
            let mut headers = HeaderMap::new();
            let names = Header::ALL.map(Header::name).into_iter().chain([GRPC_PREVIOUS_ATTEMPTS, ENVOY_ATTEMPT_COUNT]);
            for (name, value) in names.zip(&values) {
                if let Ok(value) = HeaderValue::from_bytes(value) {
                    headers.append(name, value);
                }
            }
            let incoming = Incoming::read(&headers);
            prop_assert!(incoming.attempt() >= 1);
            let _ = incoming.scope();
        }

        #[test]
        fn no_further_value_ever_gives_more_time(
            first in 0_u64..10_000_000, second in "[0-9]{0,12}[HMSmun]?",
        ) {
            let mut headers = headers(&[("grpc-timeout", &format!("{first}u"))]);
            let before = Incoming::read(&headers).remaining();
            headers.append("grpc-timeout", HeaderValue::from_str(&second).unwrap());
            prop_assert!(Incoming::read(&headers).remaining() <= before.or(Some(Duration::MAX)));
        }
    }
}
