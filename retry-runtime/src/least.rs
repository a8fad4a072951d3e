//! The fastest success of a node, the limits inside it included.

use retry_planner::{Kind, Policy};

use crate::timer::nanos;

/// The fastest success of the node at `index`, in nanoseconds.
#[must_use]
pub const fn least(policy: &Policy<'_>, index: usize) -> u64 {
    let node = &policy.nodes[index];
    match &node.kind {
        Kind::Attempt(attempt) => match attempt.takes {
            Some(takes) => nanos(takes.min.lo),
            None => 0,
        },
        Kind::Call(callee) => nanos(callee.best),
        Kind::Series => {
            let mut sum = 0_u64;
            let mut child = index + 1;
            while child < index + node.size {
                sum = sum.saturating_add(least(policy, child));
                child += policy.nodes[child].size;
            }
            sum
        }
        Kind::Parallel => {
            let mut most = 0;
            let mut child = index + 1;
            while child < index + node.size {
                let own = least(policy, child);
                if own > most {
                    most = own;
                }
                child += policy.nodes[child].size;
            }
            most
        }
        Kind::Race | Kind::Fallback => {
            let mut fewest = u64::MAX;
            let mut child = index + 1;
            while child < index + node.size {
                let own = least(policy, child);
                if own < fewest {
                    fewest = own;
                }
                child += policy.nodes[child].size;
            }
            fewest
        }
        _ => least(policy, index + 1),
    }
}
