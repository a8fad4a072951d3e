//! Whole amounts (nanoseconds, counts, units) that saturate instead of wrapping and know "no bound".
//!
//! An amount is a `u128`: [`NONE`] is "unbounded", anything above [`LONGEST`] is a time that `Duration` can't hold. Sums
//! stop at [`TOP`], so that an overflow stays visible as an overflow and never turns into "unbounded".

use core::time::Duration;

/// No bound.
pub(crate) const NONE: u128 = u128::MAX;

/// The greatest bounded amount; two of them can be added without leaving `u128`.
pub(crate) const TOP: u128 = u128::MAX >> 1;

/// `Duration::MAX` in nanoseconds.
pub(crate) const LONGEST: u128 = u64::MAX as u128 * 1_000_000_000 + 999_999_999;

pub(crate) const fn nanos(d: Duration) -> u128 {
    d.as_nanos()
}

/// Saturates at `Duration::MAX`, for "unbounded" too.
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most LONGEST: the seconds fit in u64 and the rest is below a second"
)]
pub(crate) const fn duration(ns: u128) -> Duration {
    let ns = least(ns, LONGEST);
    Duration::new((ns / 1_000_000_000) as u64, (ns % 1_000_000_000) as u32)
}

/// `None` for "unbounded".
pub(crate) const fn bounded(ns: u128) -> Option<Duration> {
    if ns == NONE { None } else { Some(duration(ns)) }
}

/// `None` for "unbounded"; saturates.
#[expect(clippy::cast_possible_truncation, reason = "cut to the range of u64 first")]
pub(crate) const fn count(n: u128) -> Option<u64> {
    if n == NONE {
        None
    } else {
        Some(least(n, u64::MAX as u128) as u64)
    }
}

/// The amount of an optional count.
pub(crate) const fn of_count(n: Option<u64>) -> u128 {
    match n {
        Some(n) => n as u128,
        None => NONE,
    }
}

pub(crate) const fn of_time(d: Option<Duration>) -> u128 {
    match d {
        Some(d) => nanos(d),
        None => NONE,
    }
}

/// Whether an amount is bounded but beyond what a `Duration` holds.
pub(crate) const fn beyond(ns: u128) -> bool {
    ns > LONGEST && ns != NONE
}

pub(crate) const fn add(a: u128, b: u128) -> u128 {
    if a == NONE || b == NONE {
        NONE
    } else {
        let sum = a.wrapping_add(b);
        if sum > TOP { TOP } else { sum }
    }
}

pub(crate) const fn mul(a: u128, b: u128) -> u128 {
    if a == 0 || b == 0 {
        0
    } else if a == NONE || b == NONE {
        NONE
    } else {
        match a.checked_mul(b) {
            Some(product) => least(product, TOP),
            None => TOP,
        }
    }
}

/// What is left of `a`, at least nothing; an unbounded `a` stays so.
pub(crate) const fn sub(a: u128, b: u128) -> u128 {
    if a == NONE { NONE } else { a.saturating_sub(b) }
}

pub(crate) const fn least(a: u128, b: u128) -> u128 {
    if a < b { a } else { b }
}

pub(crate) const fn most(a: u128, b: u128) -> u128 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_duration_and_back() {
        assert_eq!(nanos(Duration::MAX), LONGEST);
        assert_eq!(duration(LONGEST), Duration::MAX);
        assert_eq!(duration(NONE), Duration::MAX);
    }

    #[test]
    fn an_overflow_never_becomes_unbounded() {
        assert_eq!(add(TOP, TOP), TOP);
        assert_eq!(mul(TOP, TOP), TOP);
        assert!(beyond(mul(LONGEST, 2)));
        assert!(!beyond(NONE));
    }

    #[test]
    fn nothing_times_unbounded_is_nothing() {
        assert_eq!(mul(0, NONE), 0);
        assert_eq!(add(1, NONE), NONE);
        assert_eq!(sub(NONE, NONE), NONE);
    }
}
