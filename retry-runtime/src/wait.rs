//! The wait before a retry: drawn from the planner's interval.

use retry_planner::Retry;

/// Draws the wait before retry `k`, counted from 1, after one of `previous`; `bits` are uniform.
#[inline]
pub fn draw(retry: &Retry<'_>, k: u32, previous: u64, bits: impl FnOnce() -> u64) -> u64 {
    let draw = retry.draw(k, previous);
    draw.pick(if draw.is_certain() { 0 } else { bits() })
}
