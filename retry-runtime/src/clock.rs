//! Instants as numbers: nanoseconds on one clock for the whole process.
//!
//! An `Instant` is two words that only its own arithmetic understands. Runs compare times at every step and publish them at
//! every poll, so they keep them as one word and make an `Instant` of it only to arm a timer or to tell somebody.
//!
//! The clock is tokio's, and a paused one may lie before or behind that of another runtime; so the first moment that anybody
//! asks for is the middle of the range, which then reaches 146 years both ways. The range is the upper half of what a word
//! holds, so that a length of time and an instant can be told apart in one (see [`Limit`](crate::scope::Limit)).

use core::time::Duration;
use std::sync::OnceLock;

use tokio::time::Instant;

/// The least number of an instant.
pub const LEAST: u64 = 1 << 63;

/// What the first moment is.
const MIDDLE: u64 = LEAST + (1 << 62);

static FIRST: OnceLock<Instant> = OnceLock::new();

#[inline]
fn first() -> Instant {
    *FIRST.get_or_init(Instant::now)
}

/// The time now; [`LEAST`] at least, so never zero.
#[must_use]
#[inline]
pub fn now() -> u64 {
    number(Instant::now())
}

/// An instant as a number; [`LEAST`] at least. `u64::MAX` for one that lies beyond the range.
#[must_use]
#[inline]
pub fn number(at: Instant) -> u64 {
    let first = first();
    match at.checked_duration_since(first) {
        Some(after) => MIDDLE.saturating_add(nanos(after)),
        None => before(first, at),
    }
}

#[cold]
fn before(first: Instant, at: Instant) -> u64 {
    MIDDLE
        .saturating_sub(nanos(first.saturating_duration_since(at)))
        .max(LEAST)
}

/// The instant of a number; `None` beyond the range.
#[must_use]
#[inline]
pub fn instant(number: u64) -> Option<Instant> {
    match number.checked_sub(MIDDLE) {
        _ if number == u64::MAX => None,
        Some(after) => first().checked_add(Duration::from_nanos(after)),
        None => first().checked_sub(Duration::from_nanos(MIDDLE - number)),
    }
}

/// A duration in whole nanoseconds; what doesn't fit stands at the end of time.
#[must_use]
#[inline]
pub const fn nanos(duration: Duration) -> u64 {
    // In one word as long as that holds: this is on the path of every clock reading.
    match duration.as_secs().checked_mul(1_000_000_000) {
        Some(whole) => whole.saturating_add(duration.subsec_nanos() as u64),
        None => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_comes_back_as_it_was_on_both_sides_of_the_first() {
        let now = Instant::now();
        let day = Duration::from_secs(86_400);
        for at in [now, now + day, now + 3650 * day, now - Duration::from_nanos(1)] {
            assert_eq!(instant(number(at)), Some(at));
        }
        assert_eq!(number(now + day) - number(now), nanos(day));
    }

    #[test]
    fn beyond_the_range_there_is_no_instant() {
        let centuries = Duration::from_secs(200 * 365 * 86_400);
        let far = Instant::now()
            .checked_add(centuries)
            .expect("the system's clock reaches farther");
        assert_eq!(number(far), u64::MAX);
        assert_eq!(instant(u64::MAX), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_was_set_forward_agrees_with_one_that_was_not() {
        let before = now();
        tokio::time::advance(Duration::from_secs(1_000_000)).await;
        assert_eq!(now() - before, 1_000_000_000_000_000);
        let elsewhere = std::thread::spawn(now).join().expect("reads a clock");
        assert!(elsewhere < now());
    }

    #[test]
    fn nanoseconds_are_exact_up_to_the_end_of_time() {
        assert_eq!(nanos(Duration::new(3, 7)), 3_000_000_007);
        assert_eq!(nanos(Duration::from_nanos(u64::MAX)), u64::MAX);
        assert_eq!(
            nanos(Duration::from_nanos(u64::MAX) + Duration::from_nanos(1)),
            u64::MAX
        );
        assert_eq!(nanos(Duration::MAX), u64::MAX);
    }
}
