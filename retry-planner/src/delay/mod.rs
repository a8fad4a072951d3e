//! The waits of a retry: one function for the planner and for the executor.
//!
//! Before retry `k` (the first retry is 1) the wait before jitter is
//!
//! | backoff | `d(k)` |
//! |---|---|
//! | `fixed(d)` | `d` |
//! | `linear(d, max)` | `min(max, d·k)` |
//! | `exponential(d, factor, max)` | `min(max, d·factor^(k-1))` |
//! | `schedule(d1, d2, ..)` | `dk`, the last one again after the end |
//!
//! and jitter draws from `full [0, d]`, `equal [d/2, d]`, `spread(x) [d·(1-x), min(max, d·(1+x))]`. `decorrelated(d, max)`
//! draws `min(max, U(d, 3·previous))` with `previous` starting as `d`, so that its interval is
//! `[d, min(max, d·3^k)]` (Brooker, *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015).
//!
//! Factors are decimals held exactly; a wait is rounded down to whole nanoseconds once, at the end. Without a `max` a wait
//! saturates at [`Duration::MAX`]. A growing wait is followed for [`GROWTH_STEPS`] steps and stays as it is afterwards.

mod curve;
mod draw;
mod exact;

use core::time::Duration;

pub(crate) use curve::Curve;
pub use curve::GROWTH_STEPS;
pub use draw::{Draw, up_to};

use crate::amount::{add, duration, most, nanos};
use crate::tree::{Backoff, Jitter, Range, Retry};

impl Backoff<'_> {
    /// The wait before retry `k` (1-based), before jitter; both ends are equal where the backoff's values are.
    ///
    /// For `decorrelated` it is the interval of the draw, since that has no wait apart from its jitter.
    #[must_use]
    pub const fn delay(&self, k: u32) -> Range {
        self.interval(k, Jitter::None)
    }

    /// The least and the greatest wait before retry `k` (1-based) with this jitter.
    #[must_use]
    pub const fn interval(&self, k: u32, jitter: Jitter) -> Range {
        Range {
            lo: duration(Curve::low(self, jitter).wait(k)),
            hi: duration(Curve::high(self, jitter).wait(k)),
        }
    }

    /// The least and the greatest sum of the first `n` waits with this jitter, saturating; at once for any `n`.
    #[must_use]
    pub const fn total(&self, n: u32, jitter: Jitter) -> Range {
        Range {
            lo: duration(Curve::low(self, jitter).total(n)),
            hi: duration(Curve::high(self, jitter).total(n)),
        }
    }

    /// Whether the waits grow.
    #[must_use]
    pub const fn grows(&self) -> bool {
        match self {
            Self::Linear { .. } | Self::Decorrelated { .. } => true,
            Self::Exponential { factor, .. } => {
                let ratio = exact::Ratio::of(*factor);
                ratio.num > ratio.den
            }
            Self::None | Self::Fixed(_) | Self::Schedule { .. } => false,
        }
    }

    /// The jitter where none is written: full for growing backoffs, none for the others.
    #[must_use]
    pub const fn default_jitter(&self) -> Jitter {
        match self {
            Self::Linear { .. } | Self::Exponential { .. } => Jitter::Full,
            Self::None | Self::Fixed(_) | Self::Decorrelated { .. } | Self::Schedule { .. } => Jitter::None,
        }
    }

    /// The cap, where one is written.
    #[must_use]
    pub const fn max(&self) -> Option<Range> {
        match self {
            Self::Linear { max, .. } | Self::Exponential { max, .. } | Self::Decorrelated { max, .. } => *max,
            Self::None | Self::Fixed(_) | Self::Schedule { .. } => None,
        }
    }
}

impl<'a> Retry<'a> {
    /// The jitter in force: the written one, else the backoff's default.
    #[must_use]
    pub const fn jitter_in_force(&self) -> Jitter {
        match self.jitter {
            Some(jitter) => jitter,
            None => self.backoff.default_jitter(),
        }
    }

    /// The least and the greatest wait before retry `k` (1-based), hints left out.
    #[must_use]
    pub const fn interval(&self, k: u32) -> Range {
        self.backoff.interval(k, self.jitter_in_force())
    }

    /// The least and the greatest gap before retry `k` (1-based), a honoured hint included (rule 13); `None` for the
    /// greatest where a hint has no `max`.
    #[must_use]
    pub const fn gap(&self, k: u32) -> (Duration, Option<Duration>) {
        let Range { lo, hi } = self.interval(k);
        match self.hint {
            None => (lo, Some(hi)),
            Some(hint) => match hint.max {
                Some(max) => (lo, Some(duration(most(nanos(max.hi), nanos(hi))))),
                None => (lo, None),
            },
        }
    }

    pub(crate) const fn low_waits(&self) -> Curve<'a> {
        Curve::low(&self.backoff, self.jitter_in_force())
    }

    pub(crate) const fn high_waits(&self) -> Curve<'a> {
        Curve::high(&self.backoff, self.jitter_in_force())
    }

    /// The greatest of the first `n` waits, hints left out.
    pub(crate) const fn longest_wait(&self, n: u32) -> u128 {
        let Backoff::Schedule { waits, .. } = self.backoff else {
            return if n == 0 { 0 } else { self.high_waits().wait(n) };
        };
        let mut longest = 0;
        let mut i = 0;
        while i < waits.len() && i < n as usize {
            longest = most(longest, nanos(waits[i].hi));
            i += 1;
        }
        match self.jitter_in_force() {
            // A spread reaches beyond each wait, and a schedule has no cap.
            Jitter::Spread(_) => add(longest, longest),
            _ => longest,
        }
    }

    /// The greatest sum of the first `n` gaps, hints included.
    pub(crate) const fn gaps_at_most(&self, n: u32) -> u128 {
        if n == 0 {
            return 0;
        }
        let waits = self.high_waits();
        match self.hint {
            None => waits.total(n),
            Some(hint) => match hint.max {
                None => crate::amount::NONE,
                Some(max) => waits.total_at_least(n, nanos(max.hi)),
            },
        }
    }
}
