//! A layer's bounds.

use std::time::Duration;

use super::model::{Attempts, Jitter, Layer};

/// Bounds of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The latest end; `None` where it has none.
    pub worst: Option<Duration>,
    /// The most calls of the next layer; `None` where unbounded.
    pub calls: Option<u64>,
}

fn d(layer: &Layer, k: u64) -> Duration {
    let m = layer.multiplier.digits as f64 / 10f64.powi(layer.multiplier.scale as i32);
    let base = layer.base_delay.as_secs_f64();
    let w = if layer.jitter == Jitter::Decorrelated { base * 3f64.powf(k as f64) } else if base == 0.0 { 0.0 } else { base * m.powf((k - 1) as f64) };
    let w = Duration::try_from_secs_f64(w).unwrap_or(Duration::MAX);
    w.min(layer.max_delay.unwrap_or(Duration::MAX))
}

/// The `k`-th wait.
#[must_use]
pub fn delay(layer: &Layer, k: u64) -> (Duration, Duration) {
    let d = d(layer, k);
    match layer.jitter {
        Jitter::None => (d, d),
        Jitter::Full => (Duration::ZERO, d),
        Jitter::Equal => (d / 2, d),
        Jitter::Decorrelated => (layer.base_delay, d),
        Jitter::PlusMinus(x) => { let x = x.digits as f64 / 10f64.powi(x.scale as i32); (d.mul_f64(1.0 - x), d.mul_f64(1.0 + x)) }
    }
}

/// Sum of the longest waits.
#[must_use]
pub fn delay_total(layer: &Layer) -> Option<Duration> {
    let Attempts::Count(n) = layer.attempts else { return None };
    let mut sum = Duration::ZERO;
    for k in 1..u64::from(n.min(100_000)) { sum = sum.saturating_add(delay(layer, k).1); }
    Some(sum)
}

/// Bounds.
#[must_use]
pub fn bounds(layer: &Layer, hint: Option<Option<Duration>>) -> Bounds {
    let mut worst = match (layer.attempts, layer.per_try_timeout) {
        (Attempts::Count(n), Some(p)) => Some(p.saturating_mul(n)),
        _ => None,
    };
    worst = worst.and_then(|w| match hint {
        Some(None) => None,
        Some(Some(h)) => Some(w + h),
        None => Some(w.saturating_add(delay_total(layer)?)),
    });
    if let Some(dl) = layer.deadline { worst = Some(worst.map_or(dl, |w| w.min(dl))); }
    let n = match layer.attempts { Attempts::Count(n) => Some(u64::from(n)), Attempts::Unlimited => None };
    let mut calls = n;
    if let Some(dl) = layer.deadline && !delay(layer, 1).0.is_zero() {
        let (mut t, mut k) = (Duration::ZERO, 0);
        while t < dl && Some(k) != n { k += 1; t += delay(layer, k).0; }
        calls = Some(k);
    }
    Bounds { worst, calls }
}
