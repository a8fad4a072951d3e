//! What a repeat needs to be worth its start, on the run's clock: the planner's figures.

use retry_planner::{Policy, plan};

use crate::timer::nanos;

/// The fastest success of the node at `index`, in nanoseconds.
#[must_use]
pub const fn least(policy: &Policy<'_>, index: usize) -> u64 {
    nanos(plan::needs(policy, index).time)
}

/// The last time at which the node at `index` can start and still meet the deadlines inside it; `u64::MAX` where it holds
/// none.
#[must_use]
pub const fn start_by(policy: &Policy<'_>, index: usize) -> u64 {
    match plan::needs(policy, index).start_by {
        Some(time) => nanos(time),
        None => u64::MAX,
    }
}
