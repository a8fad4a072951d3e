//! The wait before a retry: the planner's interval, and a uniform draw in it.

use retry_planner::{Backoff, Factor, Jitter, Range, Retry};

use crate::timer::nanos;

/// Draws the wait before retry `k`, counted from 1. `up_to(n)` is uniform in `0..=n`.
#[inline]
pub fn draw(retry: &Retry<'_>, k: u32, previous: &mut u64, up_to: impl FnOnce(u64) -> u64) -> u64 {
    let (lo, hi, cap) = between(retry, k, *previous);
    let wait = if lo < hi { lo + up_to(hi - lo) } else { hi };
    *previous = wait.min(cap);
    *previous
}

/// The interval of the draw, and what a draw is cut at.
#[inline]
fn between(retry: &Retry<'_>, k: u32, previous: u64) -> (u64, u64, u64) {
    let capped = |max: Option<Range>| max.map_or(u64::MAX, |max| nanos(max.hi));
    let (wait, cap, growing) = match retry.backoff {
        Backoff::None => return (0, 0, 0),
        Backoff::Fixed(wait) => (nanos(wait.hi), u64::MAX, false),
        Backoff::Linear { base, max } => (
            nanos(base.hi).saturating_mul(u64::from(k)).min(capped(max)),
            capped(max),
            true,
        ),
        Backoff::Exponential { base, factor, max } => (
            exponential(nanos(base.hi), factor, k, capped(max)),
            capped(max),
            true,
        ),
        Backoff::Decorrelated { base, max } => {
            let base = nanos(base.hi);
            let previous = if k <= 1 { base } else { previous };
            return (base, previous.saturating_mul(3).max(base), capped(max));
        }
        Backoff::Schedule { waits, .. } => match waits.get(k as usize - 1).or(waits.last()) {
            Some(wait) => (nanos(wait.hi), u64::MAX, false),
            None => return (0, 0, 0),
        },
    };
    let default = if growing { Jitter::Full } else { Jitter::None };
    let (lo, hi) = match retry.jitter.unwrap_or(default) {
        Jitter::None => (wait, wait),
        Jitter::Full => (0, wait),
        Jitter::Equal => (wait / 2, wait),
        Jitter::Spread(share) => {
            let by = u64::try_from(times(u128::from(wait), share)).unwrap_or(u64::MAX);
            (wait - by.min(wait), wait.saturating_add(by).min(cap))
        }
    };
    (lo, hi, cap)
}

fn times(wait: u128, factor: Factor) -> u128 {
    wait.saturating_mul(u128::from(factor.digits)) / 10_u128.pow(factor.scale)
}

fn exponential(base: u64, factor: Factor, k: u32, cap: u64) -> u64 {
    let mut wait = u128::from(base);
    let mut step = 1;
    while step < k && wait < u128::from(cap) && wait > 0 {
        wait = times(wait, factor);
        step += 1;
    }
    u64::try_from(wait).unwrap_or(u64::MAX).min(cap)
}
