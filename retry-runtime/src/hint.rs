//! What a server says about when to come back, as a wait.
//!
//! Servers and their clients say it in many types, and sometimes they say nonsense. A hint is never dropped for being
//! large: it saturates, and the executor then stops at once since it can't be met. Coming back *sooner* because a number
//! was out of range is the one mistake to avoid.

use core::time::Duration;

/// What `retry_after` may return: a wait, or nothing where the server gave no hint.
///
/// | given | read as |
/// |---|---|
/// | a `Duration` | itself |
/// | a whole number | seconds; below zero is zero |
/// | `f64`, `f32` | seconds; below zero is zero, infinite or beyond `Duration` is `Duration::MAX`, NaN is no hint |
/// | `Option` of these | `None` is no hint |
/// | `Result` of these | an `Err` (a header that doesn't parse) is no hint |
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read as a server's hint",
    label = "`retry_after` gives a `Duration`, a number of seconds, or an `Option` of these"
)]
pub trait RetryAfter {
    /// How long the server asks to stay away.
    fn wait(self) -> Option<Duration>;
}

impl RetryAfter for Duration {
    #[inline]
    fn wait(self) -> Option<Duration> {
        Some(self)
    }
}

impl<H: RetryAfter> RetryAfter for Option<H> {
    #[inline]
    fn wait(self) -> Option<Duration> {
        self.and_then(RetryAfter::wait)
    }
}

impl<H: RetryAfter, E> RetryAfter for Result<H, E> {
    #[inline]
    fn wait(self) -> Option<Duration> {
        self.ok().and_then(RetryAfter::wait)
    }
}

impl RetryAfter for f64 {
    fn wait(self) -> Option<Duration> {
        if self.is_nan() {
            None
        } else if self <= 0.0 {
            Some(Duration::ZERO)
        } else {
            Some(Duration::try_from_secs_f64(self).unwrap_or(Duration::MAX))
        }
    }
}

impl RetryAfter for f32 {
    fn wait(self) -> Option<Duration> {
        f64::from(self).wait()
    }
}

macro_rules! seconds {
    ($($whole:ty),*) => {$(
        impl RetryAfter for $whole {
            #[inline]
            fn wait(self) -> Option<Duration> {
                // Whatever doesn't fit `u64` is negative.
                Some(Duration::from_secs(u64::try_from(self).unwrap_or(0)))
            }
        }
    )*};
}

seconds!(u8, u16, u32, u64, i8, i16, i32, i64);

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn seconds_of_every_kind_are_read() {
        assert_eq!(1_u64.wait(), Some(SECOND));
        assert_eq!(1_i32.wait(), Some(SECOND));
        assert_eq!(1.5_f64.wait(), Some(Duration::from_millis(1500)));
        assert_eq!(0.25_f32.wait(), Some(Duration::from_millis(250)));
        assert_eq!(SECOND.wait(), Some(SECOND));
    }

    #[test]
    fn a_negative_hint_is_no_wait() {
        assert_eq!((-1_i64).wait(), Some(Duration::ZERO));
        assert_eq!(i64::MIN.wait(), Some(Duration::ZERO));
        assert_eq!((-0.5_f64).wait(), Some(Duration::ZERO));
        assert_eq!(f64::NEG_INFINITY.wait(), Some(Duration::ZERO));
    }

    #[test]
    fn an_absurd_hint_saturates_and_is_never_dropped() {
        assert_eq!(f64::INFINITY.wait(), Some(Duration::MAX));
        assert_eq!(1e300_f64.wait(), Some(Duration::MAX));
        assert_eq!(u64::MAX.wait(), Some(Duration::from_secs(u64::MAX)));
    }

    #[test]
    fn what_says_nothing_is_no_hint() {
        assert_eq!(f64::NAN.wait(), None);
        assert_eq!(None::<Duration>.wait(), None);
        assert_eq!("soon".parse::<u64>().wait(), None);
        assert_eq!(Some("120".parse::<u64>()).wait(), Some(Duration::from_secs(120)));
    }
}
