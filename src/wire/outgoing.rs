//! What a request tells about its caller.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue};
use retry_runtime::{Attempt, Interrupted, Scope, Stop};

use super::{ENVOY_ATTEMPT_COUNT, GRPC_PREVIOUS_ATTEMPTS, Header};

/// Writes what remains of an attempt, and which attempt it is, into a request's headers.
///
/// ```
/// # use std::time::Duration;
/// # use http::HeaderMap;
/// # use retry_plan::{Attempt, Scope, wire::{Header, Outgoing}};
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// const TELL: Outgoing = Outgoing::new(&[Header::Envoy]).margin(Duration::from_millis(5));
///
/// # Scope::new().within(Duration::from_millis(800)).run(async {
/// # let attempt = Attempt::ONLY;
/// let mut headers = HeaderMap::new();
/// TELL.write(&attempt, &mut headers).expect("there is time left");
/// let told: u64 = headers["x-envoy-expected-rq-timeout-ms"].to_str().unwrap().parse().unwrap();
/// assert!(told <= 795);
/// # }).await;
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outgoing {
    headers: &'static [Header],
    margin: Duration,
}

/// Nothing is left of the caller's time: the request isn't worth sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("no time is left to send the request")]
pub struct Late;

impl From<Late> for Interrupted {
    fn from(_: Late) -> Self {
        Self {
            stop: Stop::DeadlineExceeded,
            attempts: 0,
            elapsed: Duration::ZERO,
        }
    }
}

impl Outgoing {
    /// Tells the deadline in these headers. Both attempt headers are always written: each costs a few bytes, and no server
    /// minds the one that it doesn't know.
    #[must_use]
    pub const fn new(headers: &'static [Header]) -> Self {
        Self {
            headers,
            margin: Duration::ZERO,
        }
    }

    /// Tells this much less than there is: the time of the way there and back.
    #[must_use]
    pub const fn margin(self, margin: Duration) -> Self {
        Self { margin, ..self }
    }

    /// Writes the headers for this attempt, as of now.
    ///
    /// A deadline that the request brought itself stays where it is the earlier one. Without a limit around the attempt,
    /// deadlines are left alone.
    ///
    /// # Errors
    ///
    /// [`Late`] if nothing is left once the margin is taken off; the headers are then as they were.
    pub fn write(&self, attempt: &Attempt, headers: &mut HeaderMap) -> Result<(), Late> {
        if let Some(remaining) = attempt.remaining() {
            let left = remaining.saturating_sub(self.margin);
            if left.is_zero() {
                return Err(Late);
            }
            let now = SystemTime::now();
            for header in self.headers {
                let own = headers
                    .get(header.name())
                    .and_then(|value| header.parse(value.as_bytes(), now).ok());
                if own.is_none_or(|own| left < own) {
                    headers.insert(header.name(), header.format(left, now));
                }
            }
        }
        write_attempt(attempt, headers);
        Ok(())
    }

    /// Writes the headers for the scope around, outside of any attempt.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn write_scope(&self, headers: &mut HeaderMap) -> Result<(), Late> {
        if Scope::current().is_cancelled() {
            return Err(Late);
        }
        self.write(&Attempt::ONLY, headers)
    }
}

impl Default for Outgoing {
    /// All three headers, no margin.
    fn default() -> Self {
        Self::new(&Header::ALL)
    }
}

/// Copies of a hedge count, too: the server sees one request for each. So do the attempts of the callers around, since
/// what is done for a repeat is itself done again.
fn write_attempt(attempt: &Attempt, headers: &mut HeaderMap) {
    let before = [attempt.number(), attempt.copy(), Scope::current().attempt()]
        .into_iter()
        .fold(0_u32, |before, number| {
            before.saturating_add(number.saturating_sub(1))
        });
    if before == 0 {
        headers.remove(GRPC_PREVIOUS_ATTEMPTS);
    } else {
        headers.insert(GRPC_PREVIOUS_ATTEMPTS, HeaderValue::from(before));
    }
    headers.insert(ENVOY_ATTEMPT_COUNT, HeaderValue::from(before.saturating_add(1)));
}

#[cfg(test)]
mod tests {
    use retry_runtime::scope::Limit;

    use super::*;
    use crate::wire::Incoming;

    fn attempt(number: u32, copy: u32, limit: Limit) -> Attempt {
        Attempt::new(number, 3, copy, limit, None)
    }

    const SECOND: Limit = Limit::after(1_000_000_000);

    #[test]
    fn what_is_written_is_read_as_no_more_than_what_remains() {
        let mut headers = HeaderMap::new();
        let tell = Outgoing::default().margin(Duration::from_millis(50));
        tell.write(&attempt(1, 1, SECOND), &mut headers).unwrap();
        for header in Header::ALL {
            let read = Incoming::read_only(&headers, &[header], SystemTime::now());
            let left = read.remaining().unwrap();
            assert!(left <= Duration::from_millis(950), "{header:?}: {left:?}");
            assert!(left > Duration::from_millis(500), "{header:?}: {left:?}");
        }
    }

    #[test]
    fn attempts_and_copies_are_counted_as_the_server_sees_them() {
        for (number, copy, before) in [
            (1, 1, None),
            (2, 1, Some("1")),
            (1, 2, Some("1")),
            (3, 2, Some("3")),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(GRPC_PREVIOUS_ATTEMPTS, HeaderValue::from_static("77"));
            Outgoing::default()
                .write(&attempt(number, copy, Limit::NONE), &mut headers)
                .unwrap();
            let told = headers
                .get(GRPC_PREVIOUS_ATTEMPTS)
                .map(|value| value.to_str().unwrap());
            assert_eq!(told, before);
            assert_eq!(Incoming::read(&headers).attempt(), number + copy - 1);
        }
    }

    #[test]
    fn nothing_left_is_not_sent() {
        let mut headers = HeaderMap::new();
        let tell = Outgoing::default().margin(Duration::from_secs(1));
        assert_eq!(tell.write(&attempt(1, 1, SECOND), &mut headers), Err(Late));
        assert!(headers.is_empty());
    }

    #[test]
    fn without_a_limit_no_deadline_is_made_up() {
        let mut headers = HeaderMap::new();
        Outgoing::default()
            .write(&attempt(1, 1, Limit::NONE), &mut headers)
            .unwrap();
        assert_eq!(Incoming::read(&headers).remaining(), None);
    }

    #[test]
    fn a_deadline_of_the_requests_own_stays_if_it_is_earlier() {
        for (own, kept) in [("100m", true), ("9S", false), ("nonsense", false)] {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-timeout", HeaderValue::from_static(own));
            Outgoing::new(&[Header::Grpc])
                .write(&attempt(1, 1, SECOND), &mut headers)
                .unwrap();
            assert_eq!(headers["grpc-timeout"] == own, kept, "{own}");
        }
    }
}
