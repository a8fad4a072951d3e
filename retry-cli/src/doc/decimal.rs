//! Decimal text to exact numbers: nothing passes through a float.

use std::time::Duration;

use retry_planner::Factor;

/// A number in JSON's grammar: `digits · 10^exponent`, with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// Below zero.
    pub negative: bool,
    /// All digits as a whole number, without trailing zeros; those beyond 38 are dropped.
    pub digits: u128,
    /// The power of ten.
    pub exponent: i64,
}

/// The greatest power of ten that is taken as a number: beyond it floats end too.
const MAX_MAGNITUDE: i64 = 308;

impl Decimal {
    /// Reads `text`, which is in JSON's grammar; `None` where the value is beyond 10^308.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            // An exponent beyond i64 is either far too large or zero for all purposes.
            Some((mantissa, exponent)) => (
                mantissa,
                exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') {
                    i64::MIN / 4
                } else {
                    i64::MAX / 4
                }),
            ),
            None => (text, 0),
        };
        let exponent = exponent.clamp(i64::MIN / 4, i64::MAX / 4);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let (mut digits, mut shift, mut kept) = (0u128, 0i64, 0);
        let mut zeros = 0u32;
        for (i, byte) in whole.bytes().chain(fraction.bytes()).enumerate() {
            let in_fraction = i >= whole.len();
            if kept + zeros >= 37 {
                shift += i64::from(!in_fraction);
                continue;
            }
            shift -= i64::from(in_fraction);
            match byte {
                b'0' if digits == 0 => {}
                b'0' => zeros += 1,
                _ => {
                    digits = digits * 10u128.pow(zeros + 1) + u128::from(byte - b'0');
                    kept += zeros + 1;
                    zeros = 0;
                }
            }
        }
        let exponent = exponent + shift + i64::from(zeros);
        if digits == 0 {
            return Some(Self {
                negative: false,
                digits: 0,
                exponent: 0,
            });
        }
        (exponent + i64::from(digits.ilog10()) <= MAX_MAGNITUDE).then_some(Self {
            negative,
            digits,
            exponent,
        })
    }

    /// The whole number nearest below `self · 10^shift`, at most `u128::MAX`.
    #[must_use]
    pub fn scaled(self, shift: i64) -> u128 {
        let power = self.exponent + shift;
        let ten = |power: u64| u32::try_from(power).ok().and_then(|p| 10u128.checked_pow(p));
        if power >= 0 {
            ten(power.unsigned_abs())
                .and_then(|ten| self.digits.checked_mul(ten))
                .unwrap_or(if self.digits == 0 { 0 } else { u128::MAX })
        } else {
            ten(power.unsigned_abs()).map_or(0, |ten| self.digits / ten)
        }
    }

    /// As that many milliseconds, in whole nanoseconds rounded down, at most `Duration::MAX`.
    #[must_use]
    pub fn millis(self) -> Duration {
        nanos(self.scaled(6))
    }

    /// As that many seconds, in whole nanoseconds rounded down, at most `Duration::MAX`.
    #[must_use]
    pub fn seconds(self) -> Duration {
        nanos(self.scaled(9))
    }

    /// The whole number it is, if it is one and fits.
    #[must_use]
    pub fn whole(self) -> Option<u32> {
        let whole = !self.negative && (self.exponent >= 0 || self.digits == 0);
        whole.then(|| u32::try_from(self.scaled(0)).ok()).flatten()
    }

    /// As a factor of at most 18 decimal places; `None` where it is negative or too large.
    #[must_use]
    pub fn factor(self) -> Option<Factor> {
        if self.negative {
            return None;
        }
        let scale = u32::try_from((-self.exponent).clamp(0, 18)).unwrap_or(18);
        let digits = u64::try_from(self.scaled(i64::from(scale))).ok()?;
        Some(Factor { digits, scale })
    }
}

/// Nanoseconds as a duration, at most `Duration::MAX`.
#[must_use]
pub fn nanos(nanos: u128) -> Duration {
    const SECOND: u128 = 1_000_000_000;
    match u64::try_from(nanos / SECOND) {
        Ok(seconds) => Duration::new(seconds, u32::try_from(nanos % SECOND).unwrap_or(0)),
        Err(_) => Duration::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn milliseconds_are_exact() {
        assert_eq!(decimal("0.1").millis(), Duration::from_micros(100));
        assert_eq!(decimal("1e3").millis(), Duration::from_secs(1));
        assert_eq!(decimal("250.000001").millis(), Duration::from_nanos(250_000_001));
        assert_eq!(decimal("0.0000009").millis(), Duration::ZERO);
        assert_eq!(decimal("1e300").millis(), Duration::MAX);
        assert_eq!(decimal("1.2").seconds(), Duration::from_millis(1200));
    }

    #[test]
    fn whole_numbers_may_be_written_as_decimals() {
        assert_eq!(decimal("3").whole(), Some(3));
        assert_eq!(decimal("3.0").whole(), Some(3));
        assert_eq!(decimal("1e9").whole(), Some(1_000_000_000));
        assert_eq!(decimal("-3").whole(), None);
        assert_eq!(decimal("2.5").whole(), None);
        assert_eq!(decimal("4294967296").whole(), None);
    }

    #[test]
    fn factors_keep_their_digits() {
        assert_eq!(decimal("1.1").factor(), Some(Factor { digits: 11, scale: 1 }));
        assert_eq!(decimal("2.0").factor(), Some(Factor::whole(2)));
        assert_eq!(decimal("1e30").factor(), None);
    }

    #[test]
    fn what_no_float_holds_is_refused() {
        assert_eq!(Decimal::parse("1e309"), None);
        assert_eq!(Decimal::parse(&"1".repeat(400)), None);
        assert_eq!(Decimal::parse("1e99999999999999999999"), None);
        assert!(Decimal::parse("0e99999999999999999999").is_some());
        assert_eq!(decimal("1e-99999999999999999999").millis(), Duration::ZERO);
    }

    proptest! {
        #[test]
        fn reading_agrees_with_floats(value in -1e30..1e30f64) {
            let read = decimal(&format!("{value:e}"));
            #[allow(clippy::cast_precision_loss, reason = "the comparison is between floats")]
            let back = read.digits as f64 * 10f64.powi(i32::try_from(read.exponent).unwrap());
            prop_assert!((back - value.abs()).abs() <= value.abs() * 1e-12, "{value} {read:?}");
        }

        #[test]
        fn trailing_zeros_change_nothing(whole in any::<u32>(), zeros in 0usize..60) {
            let text = format!("{whole}.{}", "0".repeat(zeros + 1));
            prop_assert_eq!(decimal(&text).whole(), Some(whole));
        }
    }
}
