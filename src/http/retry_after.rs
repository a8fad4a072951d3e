//! `Retry-After`: how long a server asks its client to wait.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, header};

/// The longest wait that is taken from a header: a year. What lies beyond is this long, never dropped, so that a server
/// that asks for more is never asked again sooner.
pub const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// How long the server asks to be left alone, from `Retry-After` in seconds or as a date ([RFC 9110, 10.2.3]).
///
/// A date is compared with the response's own `Date`, where it has one, so that the two machines' clocks needn't agree;
/// else with `now`. A date that has passed asks for no wait. The result is at most [`LONGEST_RETRY_AFTER`]; a policy
/// bounds it further with `retry_after_max`. `None` where the header is missing or isn't in either form; of several, the
/// longest counts.
///
/// [RFC 9110, 10.2.3]: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
///
/// ```
/// # use std::time::{Duration, SystemTime};
/// # use http::{HeaderMap, HeaderValue, header::RETRY_AFTER};
/// let mut headers = HeaderMap::new();
/// headers.insert(RETRY_AFTER, HeaderValue::from_static("120"));
/// assert_eq!(retry_plan::http::retry_after(&headers, SystemTime::now()), Some(Duration::from_secs(120)));
/// ```
#[must_use]
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let server_now = headers
        .get(header::DATE)
        .and_then(|date| date.to_str().ok())
        .and_then(|date| httpdate::parse_http_date(date).ok())
        .unwrap_or(now);
    headers
        .get_all(header::RETRY_AFTER)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .filter_map(|value| wait(value.trim_ascii(), server_now))
        .max()
        .map(|wait| wait.min(LONGEST_RETRY_AFTER))
}

fn wait(value: &str, server_now: SystemTime) -> Option<Duration> {
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Only a number too long for u64 fails to parse.
        return Some(value.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(server_now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    /// Sun, 06 Nov 1994 08:49:37 GMT, the date of RFC 9110's examples.
    const EXAMPLE: u64 = 784_111_777;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn read(values: &[&str], date: Option<&str>, now: SystemTime) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::RETRY_AFTER, HeaderValue::from_str(value).unwrap());
        }
        if let Some(date) = date {
            headers.insert(header::DATE, HeaderValue::from_str(date).unwrap());
        }
        retry_after(&headers, now)
    }

    #[test]
    fn seconds_are_read_and_nothing_that_only_looks_like_them() {
        let seconds = |value| read(&[value], None, at(EXAMPLE)).map(|wait| wait.as_secs());
        assert_eq!(seconds("0"), Some(0));
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds(" 7 "), Some(7));
        assert_eq!(seconds("007"), Some(7));
        for hostile in ["", "-1", "+1", "1.5", "1e3", "0x10", "1 2", "soon", "∞", "NaN"] {
            assert_eq!(seconds(hostile), None, "{hostile:?}");
        }
    }

    #[test]
    fn all_three_date_forms_are_read() {
        for date in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(
                read(&[date], None, at(EXAMPLE - 90)),
                Some(Duration::from_secs(90)),
                "{date}"
            );
        }
    }

    #[test]
    fn a_date_is_measured_on_the_servers_clock_where_it_is_told() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        let skewed = at(EXAMPLE + 3600);
        assert_eq!(
            read(&[date], Some("Sun, 06 Nov 1994 08:49:07 GMT"), skewed),
            Some(Duration::from_secs(30))
        );
        assert_eq!(read(&[date], Some("yesterday"), skewed), Some(Duration::ZERO));
    }

    #[test]
    fn a_passed_date_asks_for_no_wait() {
        assert_eq!(
            read(&["Sun, 06 Nov 1994 08:49:37 GMT"], None, at(EXAMPLE + 1)),
            Some(Duration::ZERO)
        );
    }

    #[test]
    fn a_hint_beyond_all_reason_is_bounded_and_not_dropped() {
        for far in [
            "99999999999",
            "18446744073709551615",
            "99999999999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            assert_eq!(
                read(&[far], None, at(EXAMPLE)),
                Some(LONGEST_RETRY_AFTER),
                "{far}"
            );
        }
    }

    #[test]
    fn of_several_the_longest_counts() {
        assert_eq!(
            read(&["3", "nonsense", "40", "5"], None, at(EXAMPLE)),
            Some(Duration::from_secs(40))
        );
    }

    proptest! {
        #[test]
        fn no_header_of_any_bytes_panics_or_passes_the_bound(
            retry in proptest::collection::vec(any::<u8>(), 0..60),
            date in proptest::collection::vec(any::<u8>(), 0..60),
        ) {
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_bytes(&retry) {
                headers.append(header::RETRY_AFTER, value);
            }
            if let Ok(value) = HeaderValue::from_bytes(&date) {
                headers.append(header::DATE, value);
            }
            prop_assert!(retry_after(&headers, SystemTime::now()).is_none_or(|wait| wait <= LONGEST_RETRY_AFTER));
        }

        #[test]
        fn every_date_comes_back_as_it_was_written(wait in 0_u64..30_000_000) {
            let value = httpdate::fmt_http_date(at(EXAMPLE + wait));
            prop_assert_eq!(read(&[&value], None, at(EXAMPLE)), Some(Duration::from_secs(wait)));
        }
    }
}
