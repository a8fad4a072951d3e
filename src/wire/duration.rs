//! The three ways in which a deadline is written into a header, each as a pair of pure functions.
//!
//! Writing rounds down, never up: what a callee is told is never later than what its caller has. Reading takes any bytes
//! and answers with a duration or with the reason why it can't.

use std::time::{Duration, SystemTime};

/// Why a header's value can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// Bytes that no header of this kind may have, a sign or a fraction among them.
    #[error("not a number of this header's form")]
    Form,
    /// No number, or more digits than the form allows.
    #[error("a wrong number of digits")]
    Digits,
    /// A unit that the form doesn't know.
    #[error("an unknown unit")]
    Unit,
}

/// Reads `grpc-timeout`: one to eight digits and one of `H M S m u n` ([gRPC over HTTP2]).
///
/// # Errors
///
/// Everything else, white space included.
///
/// [gRPC over HTTP2]: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
///
/// ```
/// # use std::time::Duration;
/// # use retry_plan::wire::parse_grpc_timeout;
/// assert_eq!(parse_grpc_timeout(b"250m"), Ok(Duration::from_millis(250)));
/// assert!(parse_grpc_timeout(b"-1S").is_err());
/// ```
pub fn parse_grpc_timeout(value: &[u8]) -> Result<Duration, Malformed> {
    let (unit, digits) = value.split_last().ok_or(Malformed::Digits)?;
    let unit: fn(u64) -> Duration = match unit {
        b'H' => |hours| Duration::from_secs(hours * 3600),
        b'M' => |minutes| Duration::from_secs(minutes * 60),
        b'S' => Duration::from_secs,
        b'm' => Duration::from_millis,
        b'u' => Duration::from_micros,
        b'n' => Duration::from_nanos,
        _ => return Err(Malformed::Unit),
    };
    // Eight digits times 3600 are far from the end of u64.
    if digits.is_empty() || digits.len() > 8 {
        return Err(Malformed::Digits);
    }
    parse_digits(digits).map(unit)
}

/// Writes `grpc-timeout` in the finest unit that eight digits hold, rounded down. A time beyond 99,999,999 hours is
/// written as those.
///
/// ```
/// # use std::time::Duration;
/// # use retry_plan::wire::format_grpc_timeout;
/// assert_eq!(format_grpc_timeout(Duration::from_millis(250)), "250000u");
/// ```
#[must_use]
pub fn format_grpc_timeout(time: Duration) -> String {
    const MOST: u128 = 99_999_999;
    let nanos = time.as_nanos();
    for (unit, nanos_each) in [
        ('n', 1),
        ('u', 1_000),
        ('m', 1_000_000),
        ('S', 1_000_000_000),
        ('M', 60_000_000_000),
    ] {
        let count = nanos / nanos_each;
        if count <= MOST {
            return format!("{count}{unit}");
        }
    }
    format!("{}H", (nanos / 3_600_000_000_000).min(MOST))
}

/// Reads `x-envoy-expected-rq-timeout-ms`: whole milliseconds, all digits.
///
/// A number beyond `u64` is the longest time, not an error: it is long, and that is all that matters.
///
/// # Errors
///
/// Anything but digits.
///
/// ```
/// # use std::time::Duration;
/// # use retry_plan::wire::parse_millis;
/// assert_eq!(parse_millis(b"1500"), Ok(Duration::from_millis(1500)));
/// assert!(parse_millis(b"1.5").is_err());
/// ```
pub fn parse_millis(value: &[u8]) -> Result<Duration, Malformed> {
    if value.is_empty() {
        return Err(Malformed::Digits);
    }
    parse_digits(value).map(Duration::from_millis)
}

/// Writes whole milliseconds, rounded down.
///
/// ```
/// # use std::time::Duration;
/// assert_eq!(retry_plan::wire::format_millis(Duration::from_micros(1_999)), "1");
/// ```
#[must_use]
pub fn format_millis(time: Duration) -> String {
    time.as_millis().to_string()
}

/// Reads `x-request-deadline`, a point on the wall clock: Unix time in milliseconds, or an RFC 3339 date and time.
///
/// Both machines' clocks have to agree for this to mean anything; the relative headers don't need that.
///
/// # Errors
///
/// Anything else.
///
/// ```
/// # use retry_plan::wire::parse_deadline;
/// assert_eq!(parse_deadline(b"1767225630000"), parse_deadline(b"2026-01-01T00:00:30Z"));
/// assert!(parse_deadline(b"tomorrow").is_err());
/// ```
pub fn parse_deadline(value: &[u8]) -> Result<SystemTime, Malformed> {
    let since_epoch = if value.iter().all(u8::is_ascii_digit) {
        parse_millis(value)?
    } else {
        rfc3339(value).ok_or(Malformed::Form)?
    };
    // A point that the clock can't hold is as far off as any: some clocks end in the year 2262.
    let furthest = Duration::from_secs(9_000_000_000);
    Ok(SystemTime::UNIX_EPOCH + since_epoch.min(furthest))
}

/// Writes a point on the wall clock as Unix time in milliseconds, rounded down. Before 1970 it is zero.
///
/// ```
/// # use std::time::{Duration, SystemTime};
/// let at = SystemTime::UNIX_EPOCH + Duration::from_micros(2_500);
/// assert_eq!(retry_plan::wire::format_deadline(at), "2");
/// ```
#[must_use]
pub fn format_deadline(at: SystemTime) -> String {
    format_millis(at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
}

/// Digits only, saturating: an overlong number stays a large one.
fn parse_digits(digits: &[u8]) -> Result<u64, Malformed> {
    digits.iter().try_fold(0_u64, |number, byte| {
        byte.is_ascii_digit()
            .then(|| number.saturating_mul(10).saturating_add(u64::from(byte - b'0')))
            .ok_or(Malformed::Form)
    })
}

/// `2026-01-01T00:00:30.250Z` or with an offset, as time since 1970; times before are zero.
fn rfc3339(value: &[u8]) -> Option<Duration> {
    fn number(digits: &[u8], range: std::ops::RangeInclusive<u64>) -> Option<u64> {
        parse_digits(digits).ok().filter(|number| range.contains(number))
    }
    fn separated(value: &[u8], at: usize, by: u8) -> Option<()> {
        value
            .get(at)
            .is_some_and(|byte| byte.eq_ignore_ascii_case(&by))
            .then_some(())
    }

    let year = number(value.get(..4)?, 0..=9999)?;
    separated(value, 4, b'-')?;
    let month = number(value.get(5..7)?, 1..=12)?;
    separated(value, 7, b'-')?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let month_days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let day = number(value.get(8..10)?, 1..=month_days)?;
    separated(value, 10, b'T')?;
    let hour = number(value.get(11..13)?, 0..=23)?;
    separated(value, 13, b':')?;
    let minute = number(value.get(14..16)?, 0..=59)?;
    separated(value, 16, b':')?;
    let second = number(value.get(17..19)?, 0..=60)?;

    let mut rest = value.get(19..)?;
    let mut nanos = 0;
    if let Some(fraction) = rest.strip_prefix(b".") {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        for digit in fraction[..digits].iter().chain(&[b'0'; 9]).take(9) {
            nanos = nanos * 10 + u32::from(digit - b'0');
        }
        rest = &fraction[digits..];
    }
    let ahead: i64 = match rest {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), offset @ ..] if offset.len() == 5 && offset[2] == b':' => {
            let hours = number(&offset[..2], 0..=23)?;
            let minutes = number(&offset[3..], 0..=59)?;
            let seconds = i64::try_from(hours * 3600 + minutes * 60).ok()?;
            if *sign == b'+' { seconds } else { -seconds }
        }
        _ => return None,
    };

    // Days since 1970 in the proleptic Gregorian calendar, with years that begin in March, so that the leap day is the
    // last of its year.
    let march_year = if month <= 2 {
        i64::try_from(year).ok()? - 1
    } else {
        i64::try_from(year).ok()?
    };
    let march_month = i64::try_from((month + 9) % 12).ok()?;
    let days = 365 * march_year + march_year.div_euclid(4) - march_year.div_euclid(100)
        + march_year.div_euclid(400)
        + (153 * march_month + 2) / 5
        + i64::try_from(day).ok()?
        - 1
        - 719_468;
    let seconds = days * 86_400 + i64::try_from(hour * 3600 + minute * 60 + second).ok()? - ahead;
    Some(u64::try_from(seconds).map_or(Duration::ZERO, |seconds| Duration::new(seconds, nanos)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_unit_of_grpc_timeout_is_read() {
        for (text, time) in [
            ("1H", Duration::from_secs(3600)),
            ("2M", Duration::from_secs(120)),
            ("3S", Duration::from_secs(3)),
            ("4m", Duration::from_millis(4)),
            ("5u", Duration::from_micros(5)),
            ("6n", Duration::from_nanos(6)),
            ("0n", Duration::ZERO),
            ("00000001S", Duration::from_secs(1)),
            ("99999999H", Duration::from_secs(99_999_999 * 3600)),
        ] {
            assert_eq!(parse_grpc_timeout(text.as_bytes()), Ok(time), "{text}");
        }
    }

    #[test]
    fn hostile_grpc_timeouts_are_told_apart_and_none_is_taken() {
        for (text, why) in [
            ("", Malformed::Digits),
            ("S", Malformed::Digits),
            ("100000000S", Malformed::Digits),
            ("99999999999999999999999999S", Malformed::Digits),
            ("5", Malformed::Unit),
            ("5s", Malformed::Unit),
            ("5h", Malformed::Unit),
            ("5 ", Malformed::Unit),
            ("-5S", Malformed::Form),
            ("+5S", Malformed::Form),
            ("5.5S", Malformed::Form),
            ("1e3m", Malformed::Form),
            (" 5S", Malformed::Form),
            ("٣S", Malformed::Form),
        ] {
            assert_eq!(parse_grpc_timeout(text.as_bytes()), Err(why), "{text:?}");
        }
    }

    #[test]
    fn grpc_timeout_is_written_in_the_finest_unit_of_eight_digits() {
        for (time, text) in [
            (Duration::ZERO, "0n"),
            (Duration::from_nanos(99_999_999), "99999999n"),
            (Duration::from_millis(100), "100000u"),
            (Duration::from_secs(2), "2000000u"),
            (Duration::from_secs(100), "100000m"),
            (Duration::from_secs(99_999_999), "99999999S"),
            (Duration::from_secs(5_999_999_999), "99999999M"),
            (Duration::MAX, "99999999H"),
        ] {
            assert_eq!(format_grpc_timeout(time), text, "{time:?}");
        }
    }

    #[test]
    fn millis_are_digits_and_an_overlong_number_stays_long() {
        assert_eq!(parse_millis(b"1500"), Ok(Duration::from_millis(1500)));
        assert_eq!(
            parse_millis(b"99999999999999999999999999"),
            Ok(Duration::from_millis(u64::MAX))
        );
        for hostile in ["", "-1", "1.5", "1s", " 1", "0x1"] {
            assert!(parse_millis(hostile.as_bytes()).is_err(), "{hostile:?}");
        }
    }

    #[test]
    fn a_point_on_the_wall_clock_is_read_in_both_forms() {
        // Dates with their Unix seconds, leap days and both sides of 2000 among them.
        for (text, millis) in [
            ("1767225630000", 1_767_225_630_000),
            ("2026-01-01T00:00:30Z", 1_767_225_630_000),
            ("2026-01-01t00:00:30.250z", 1_767_225_630_250),
            ("2026-01-01T01:00:30+01:00", 1_767_225_630_000),
            ("2025-12-31T18:30:30-05:30", 1_767_225_630_000),
            ("1994-11-06T08:49:37Z", 784_111_777_000),
            ("2000-02-29T12:00:00Z", 951_825_600_000),
            ("2024-02-29T00:00:00.999999999Z", 1_709_164_800_999),
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59Z", 0),
            ("0000-01-01T00:00:00Z", 0),
        ] {
            let at = parse_deadline(text.as_bytes()).unwrap();
            let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap();
            assert_eq!(since.as_millis(), millis, "{text}");
        }
    }

    #[test]
    fn no_day_that_does_not_exist_is_taken() {
        for hostile in [
            "",
            "-1",
            "tomorrow",
            "2026-01-01",
            "2026-01-01T00:00:30",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:30.Z",
            "2026-01-01T00:00:30+1:00",
            "2026-01-01T00:00:30Z ",
            "2026-01-01 00:00:30Z",
        ] {
            assert!(parse_deadline(hostile.as_bytes()).is_err(), "{hostile:?}");
        }
    }

    #[test]
    fn the_end_of_time_is_held_by_every_clock() {
        for far in [
            "18446744073709551615",
            "99999999999999999999999",
            "9999-12-31T23:59:59Z",
        ] {
            let at = parse_deadline(far.as_bytes()).unwrap();
            assert!(at > SystemTime::now(), "{far}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(value in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = parse_grpc_timeout(&value);
            let _ = parse_millis(&value);
            let _ = parse_deadline(&value);
        }

        #[test]
        fn almost_dates_are_answered(value in "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,12})?([Zz]|[+-][0-9:]{0,6})?") {
            let _ = parse_deadline(value.as_bytes());
        }

        #[test]
        fn no_written_timeout_is_later_than_the_time_it_was_made_of(secs in 0_u64..=u64::MAX, nanos in 0_u32..1_000_000_000) {
            let time = Duration::new(secs, nanos);
            let grpc = parse_grpc_timeout(format_grpc_timeout(time).as_bytes()).unwrap();
            prop_assert!(grpc <= time);
            let millis = parse_millis(format_millis(time).as_bytes()).unwrap();
            prop_assert!(millis <= time);
        }

        #[test]
        fn a_written_timeout_loses_less_than_a_unit(millis in 0_u64..100_000_000) {
            let time = Duration::from_millis(millis);
            let grpc = parse_grpc_timeout(format_grpc_timeout(time).as_bytes()).unwrap();
            prop_assert!(time.saturating_sub(grpc) < Duration::from_millis(1));
            prop_assert_eq!(parse_millis(format_millis(time).as_bytes()), Ok(time));
        }

        #[test]
        fn a_point_on_the_wall_clock_comes_back(millis in 0_u64..8_000_000_000_000) {
            let at = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
            prop_assert_eq!(parse_deadline(format_deadline(at).as_bytes()), Ok(at));
        }
    }
}
