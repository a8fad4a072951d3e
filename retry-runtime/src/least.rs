//! What a repeat needs to be worth its start, on the run's clock: the planner's figures.

use retry_planner::{Policy, plan};

use crate::timer::nanos;

/// What the node at `index` needs: its fastest success, in nanoseconds, and the last time at which it can start and still
/// meet the deadlines inside it; `u64::MAX` where it holds none.
#[must_use]
pub const fn needs(policy: &Policy<'_>, index: usize) -> (u64, u64) {
    let needs = plan::needs(policy, index);
    let start_by = match needs.start_by {
        Some(time) => nanos(time),
        None => u64::MAX,
    };
    (nanos(needs.time), start_by)
}
