//! One draw at run time: the interval of the wait before a retry, and a uniform value in it from random bits.

use super::curve::{Curve, Spread};
use crate::amount::{least, nanos};
use crate::tree::{Backoff, Jitter, Retry};

/// What the wait before one retry is drawn from, in whole nanoseconds; waits beyond `u64::MAX` (584 years) stay there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    lo: u64,
    hi: u64,
    /// What a draw is cut at (`decorrelated` draws first and cuts then).
    cap: u64,
}

impl Retry<'_> {
    /// What the wait before retry `k` (1-based) is drawn from; `previous` is the last one drawn, in nanoseconds, which only
    /// `decorrelated` looks at, and not before the first.
    ///
    /// Every value of it lies in [`Retry::interval`]; values known within bounds count at their high end.
    #[must_use]
    #[inline]
    pub const fn draw(&self, k: u32, previous: u64) -> Draw {
        if let Backoff::Decorrelated { base, max } = self.backoff {
            let base = whole(nanos(base.hi));
            let previous = if k <= 1 { base } else { previous };
            let three = previous.saturating_mul(3);
            return Draw {
                lo: base,
                hi: if three > base { three } else { base },
                cap: match max {
                    Some(max) => whole(nanos(max.hi)),
                    None => u64::MAX,
                },
            };
        }
        let jitter = self.jitter_in_force();
        let curve = Curve::high(&self.backoff, Jitter::None);
        let wait = curve.plain(k);
        Draw {
            lo: whole(Spread::new(jitter, false).of(wait, curve.cap())),
            hi: whole(Spread::new(jitter, true).of(wait, curve.cap())),
            cap: u64::MAX,
        }
    }
}

impl Draw {
    /// Whether there is but one value, so that no random bits are needed.
    #[must_use]
    #[inline]
    pub const fn is_certain(self) -> bool {
        self.lo >= self.hi
    }

    /// The wait that 64 uniform bits choose, in nanoseconds.
    #[must_use]
    #[inline]
    pub const fn pick(self, bits: u64) -> u64 {
        let wait = if self.lo < self.hi {
            self.lo + up_to(self.hi - self.lo, bits)
        } else {
            self.hi
        };
        if wait < self.cap { wait } else { self.cap }
    }
}

/// A uniform whole number in `0..=max`, of 64 uniform bits.
///
/// Widening multiplication without rejection: no value is more likely than another by more than `2^-64 · max`, far below
/// what a wait in nanoseconds can show, and the cost is one multiplication, never a loop.
#[must_use]
#[inline]
pub const fn up_to(max: u64, bits: u64) -> u64 {
    ((bits as u128 * (max as u128 + 1)) >> 64) as u64
}

#[expect(clippy::cast_possible_truncation, reason = "cut to the range of u64 first")]
#[inline]
const fn whole(ns: u128) -> u64 {
    least(ns, u64::MAX as u128) as u64
}

#[cfg(test)]
mod tests {
    use super::up_to;

    #[test]
    fn bits_reach_both_ends_and_nothing_beyond() {
        for max in [0, 1, 3, 1_000_000_007, u64::MAX - 1, u64::MAX] {
            assert_eq!(up_to(max, 0), 0);
            assert_eq!(up_to(max, u64::MAX), max);
        }
    }

    #[test]
    fn bits_are_shared_out_evenly() {
        let mut seen = [0_u32; 4];
        for step in 0..4_000_u64 {
            let at = up_to(3, u64::MAX / 8_000 * (2 * step + 1));
            seen[usize::try_from(at).expect("at most 3")] += 1;
        }
        assert_eq!(seen, [1_000; 4]);
    }
}
