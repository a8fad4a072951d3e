//! The bounds of one layer, against an adversary: the latest end, the most tries, the interval of each wait.
//!
//! Times are whole nanoseconds and saturate at `Duration::MAX`; factors are exact decimals. The rules are those of the
//! policies: starts are strict, ends inclusive, a try may fail at once, delays round down once.

use std::time::Duration;

use num_bigint::BigUint;
use retry_planner::{Backoff, Range};

use super::expected;
use super::model::{Attempts, Jitter, Layer};
use crate::doc::decimal::nanos;

/// Bounds of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The latest end; `None` where it has none.
    pub worst: Option<Duration>,
    /// The most calls of the next layer; `None` where unbounded.
    pub calls: Option<u64>,
}

/// What a server's hint can make of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Nothing: there is none, or nobody listens.
    None,
    /// At most so much.
    AtMost(Duration),
    /// Anything.
    Anything,
}

/// So many waits are looked at one by one; then they are at the cap, or so slow to grow that a closed form serves.
const STEPS: u64 = 500;

/// The end of `Duration`'s range in nanoseconds.
const MAX: u128 = Duration::MAX.as_nanos();

/// The bounds of `layer`; `hint` is what a server can make of a wait.
#[must_use]
pub fn bounds(layer: &Layer, hint: Hint) -> Bounds {
    let copies = layer.hedge.map_or(1, |hedge| hedge.copies);
    let uncut = uncut(layer, hint);
    let worst = match (uncut, layer.deadline) {
        (Some(uncut), Some(deadline)) => Some(uncut.min(deadline)),
        (uncut, deadline) => uncut.or(deadline),
    };
    Bounds {
        worst,
        calls: starts(layer).and_then(|tries| tries.checked_mul(u64::from(copies))),
    }
}

/// The latest end without a deadline: every try as long as it may be, every wait too.
fn uncut(layer: &Layer, hint: Hint) -> Option<Duration> {
    let Attempts::Count(attempts) = layer.attempts else {
        return None;
    };
    let per_try = layer.per_try_timeout?;
    let one = match layer.hedge {
        Some(hedge) => hedge
            .after
            .min(per_try)
            .saturating_mul(hedge.copies - 1)
            .saturating_add(per_try),
        None => per_try,
    };
    let waits = match hint {
        // A hint without a bound can hold a retry for ever.
        Hint::Anything => return None,
        Hint::AtMost(hint) => total(layer, hint)?,
        Hint::None => total(layer, Duration::ZERO)?,
    };
    Some(one.saturating_mul(attempts).saturating_add(waits))
}

/// The sum of the longest waits; `None` for endlessly many.
#[must_use]
pub fn delay_total(layer: &Layer) -> Option<Duration> {
    total(layer, Duration::ZERO)
}

/// The sum of the longest waits, each at least `floor`.
fn total(layer: &Layer, floor: Duration) -> Option<Duration> {
    let Attempts::Count(attempts) = layer.attempts else {
        return None;
    };
    let (waits, floor) = (u64::from(attempts) - 1, floor.as_nanos());
    let mut sum = 0u128;
    for k in 1..=waits {
        let wait = interval(layer, k).1.max(floor);
        sum = sum.saturating_add(wait).min(MAX);
        if sum == MAX {
            break;
        }
        if stays(layer, k) {
            sum = sum.saturating_add(wait.saturating_mul(u128::from(waits - k)));
            break;
        }
        if k == STEPS {
            sum = sum.saturating_add(slow(layer, k, waits, floor));
            break;
        }
    }
    Some(nanos(sum))
}

/// The waits after the first `done`, where they grow too slowly to be walked: the closed form, rounded up.
fn slow(layer: &Layer, done: u64, waits: u64, floor: u128) -> u128 {
    let all = |count| {
        let waits = expected::Waits {
            base: layer.base_delay.as_secs_f64(),
            multiplier: super::figures::factor(layer.multiplier),
            cap: layer.max_delay.map_or(f64::INFINITY, |cap| cap.as_secs_f64()),
            jitter: Jitter::None,
        };
        expected::means(waits, Some(count), 0).total
    };
    let spread = match layer.jitter {
        Jitter::PlusMinus(x) => 1.0 + super::figures::factor(x),
        _ => 1.0,
    };
    let seconds = (all(waits) - all(done)).max(0.0) * spread * (1.0 + 1e-9);
    let grown = Duration::try_from_secs_f64(seconds).map_or(MAX, |sum| sum.as_nanos());
    grown.max(floor.saturating_mul(u128::from(waits - done)))
}

/// Whether no later wait differs from wait `k`.
fn stays(layer: &Layer, k: u64) -> bool {
    let one = layer.multiplier.scale == 0 && layer.multiplier.digits == 1;
    let top = layer.max_delay.map_or(MAX, |cap| cap.as_nanos());
    layer.base_delay.is_zero() || (one && layer.jitter != Jitter::Decorrelated) || undrawn(layer, k) >= top
}

/// The most tries that can start: all of them, or as many as the shortest waits leave room for before the deadline.
fn starts(layer: &Layer) -> Option<u64> {
    let all = match layer.attempts {
        Attempts::Count(attempts) => Some(u64::from(attempts)),
        Attempts::Unlimited => None,
    };
    let Some(deadline) = layer.deadline else {
        return all;
    };
    let (deadline, mut start, mut tries) = (deadline.as_nanos(), 0u128, 1u64);
    while all.is_none_or(|all| tries < all) {
        let wait = interval(layer, tries).0;
        if stays(layer, tries) || tries == STEPS {
            // Later waits are no shorter: at most so many more starts lie strictly before the deadline.
            let room = match (deadline - start - 1).checked_div(wait) {
                Some(room) => u64::try_from(room).unwrap_or(u64::MAX),
                None => return all,
            };
            let more = tries.saturating_add(room);
            return Some(all.map_or(more, |all| all.min(more)));
        }
        start = start.saturating_add(wait);
        if start >= deadline {
            break;
        }
        tries += 1;
    }
    Some(tries)
}

/// The shortest and the longest draw of wait `k`, counted from 1.
#[must_use]
pub fn delay(layer: &Layer, k: u64) -> (Duration, Duration) {
    let (lo, hi) = interval(layer, k);
    (nanos(lo), nanos(hi))
}

fn interval(layer: &Layer, k: u64) -> (u128, u128) {
    let wait = undrawn(layer, k);
    match layer.jitter {
        Jitter::None => (wait, wait),
        Jitter::Full => (0, wait),
        Jitter::Equal => (wait / 2, wait),
        Jitter::Decorrelated => (layer.base_delay.as_nanos().min(wait), wait),
        Jitter::PlusMinus(x) => {
            let spread = scale(wait, &BigUint::from(x.digits), x.scale);
            (wait - spread.min(wait), wait.saturating_add(spread).min(MAX))
        }
    }
}

/// `min(cap, base·m^(k-1))`, and for decorrelated jitter the longest draw `min(cap, base·3^k)`: the planner's own waits.
fn undrawn(layer: &Layer, k: u64) -> u128 {
    let base = Range::exact(layer.base_delay);
    let max = layer.max_delay.map(Range::exact);
    let backoff = match layer.jitter {
        Jitter::Decorrelated => Backoff::Decorrelated { base, max },
        _ => Backoff::Exponential {
            base,
            factor: layer.multiplier,
            max,
        },
    };
    let k = u32::try_from(k).unwrap_or(u32::MAX);
    backoff.delay(k).hi.as_nanos()
}

/// `value · digits / 10^places`, rounded down, at most the end of the range.
fn scale(value: u128, digits: &BigUint, places: u32) -> u128 {
    let product = BigUint::from(value) * digits / BigUint::from(10u32).pow(places);
    u128::try_from(&product).map_or(MAX, |product| product.min(MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use retry_planner::Factor;

    fn layer(attempts: u32, jitter: Jitter) -> Layer {
        Layer {
            attempts: Attempts::Count(attempts),
            base_delay: Duration::from_millis(100),
            max_delay: Some(Duration::from_secs(1)),
            per_try_timeout: Some(Duration::from_secs(1)),
            jitter,
            ..Layer::new("x")
        }
    }

    #[test]
    fn a_decimal_factor_does_not_drift() {
        let layer = Layer {
            multiplier: Factor { digits: 11, scale: 1 },
            max_delay: None,
            ..layer(9, Jitter::None)
        };
        assert_eq!(delay(&layer, 3).1, Duration::from_millis(121));
        assert_eq!(delay(&layer, 7).1, Duration::from_nanos(177_156_100));
    }

    #[test]
    fn a_wait_never_passes_the_cap_but_for_plus_minus() {
        for jitter in [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated] {
            assert_eq!(delay(&layer(99, jitter), 98).1, Duration::from_secs(1));
        }
        let x = Factor { digits: 2, scale: 1 };
        let (lo, hi) = delay(&layer(99, Jitter::PlusMinus(x)), 98);
        assert_eq!(
            (lo, hi),
            (Duration::from_millis(800), Duration::from_millis(1200))
        );
    }

    #[test]
    fn fixed_waits_of_a_second_let_five_tries_start_in_five_seconds() {
        let layer = Layer {
            base_delay: Duration::from_secs(1),
            deadline: Some(Duration::from_secs(5)),
            ..layer(100, Jitter::None)
        };
        assert_eq!(bounds(&layer, Hint::None).calls, Some(5));
    }

    #[test]
    fn unlimited_tries_are_bounded_by_a_deadline_and_a_least_wait() {
        let unlimited = |jitter| Layer {
            attempts: Attempts::Unlimited,
            deadline: Some(Duration::from_secs(1)),
            ..layer(1, jitter)
        };
        assert_eq!(bounds(&unlimited(Jitter::None), Hint::None).calls, Some(4));
        assert_eq!(bounds(&unlimited(Jitter::Full), Hint::None).calls, None);
        assert_eq!(
            bounds(&unlimited(Jitter::None), Hint::None).worst,
            Some(Duration::from_secs(1))
        );
    }

    #[test]
    fn figures_beyond_the_range_stop_at_its_end() {
        let layer = Layer {
            base_delay: Duration::MAX,
            max_delay: None,
            ..layer(u32::MAX, Jitter::None)
        };
        assert_eq!(bounds(&layer, Hint::None).worst, Some(Duration::MAX));
    }

    #[test]
    fn a_slow_growth_over_a_billion_tries_is_summed() {
        let layer = Layer {
            multiplier: Factor {
                digits: 1_000_000_001,
                scale: 9,
            },
            ..layer(1_000_000_000, Jitter::None)
        };
        // The sum of 100 ms · (1 + 1e-9)^k over a billion k is 100 ms · 1e9 · (e - 1).
        let total = delay_total(&layer).unwrap().as_secs_f64();
        assert!((total / 171_828_182.8 - 1.0).abs() < 1e-3, "{total}");
    }

    proptest! {
        #[test]
        fn totals_are_the_sum_of_the_waits(
            attempts in 1u32..60, base in 0u64..5_000, digits in 10u64..40, cap in prop::option::of(5_000u64..90_000),
            kind in 0usize..5,
        ) {
            let x = Factor { digits: 2, scale: 1 };
            let kinds = [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated, Jitter::PlusMinus(x)];
            let layer = Layer {
                base_delay: Duration::from_millis(base),
                multiplier: Factor { digits, scale: 1 },
                max_delay: cap.map(Duration::from_millis),
                ..layer(attempts, kinds[kind])
            };
            let waits = (1..u64::from(attempts)).map(|k| delay(&layer, k).1);
            let sum = waits.fold(Duration::ZERO, Duration::saturating_add);
            prop_assert_eq!(delay_total(&layer), Some(sum));
        }

        #[test]
        fn as_many_tries_start_as_walking_shows(
            attempts in 1u32..60, base in 0u64..500, digits in 10u64..40, cap in 500u64..900, deadline in 1u64..9_000,
            equal in any::<bool>(),
        ) {
            let layer = Layer {
                base_delay: Duration::from_millis(base),
                multiplier: Factor { digits, scale: 1 },
                max_delay: Some(Duration::from_millis(cap)),
                deadline: Some(Duration::from_millis(deadline)),
                ..layer(attempts, if equal { Jitter::Equal } else { Jitter::None })
            };
            let (mut start, mut tries) = (Duration::ZERO, 1);
            while tries < u64::from(attempts) && start + delay(&layer, tries).0 < layer.deadline.unwrap() {
                start += delay(&layer, tries).0;
                tries += 1;
            }
            prop_assert_eq!(bounds(&layer, Hint::None).calls, Some(tries));
        }
    }
}
