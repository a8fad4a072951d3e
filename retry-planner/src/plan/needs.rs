//! What makes a repeat worth its start (rules 4 and 20): planned with, and at run time asked before each repeat.

use core::time::Duration;

use super::view::View;
use crate::amount::{NONE, add, bounded, duration, least, most, nanos, sub};
use crate::tree::{Kind, Policy};

/// What the inside of a node needs in order to succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Its fastest success, however fast branches fail: a repeat for which less is left isn't started.
    pub time: Duration,
    /// The last point on the policy's own clock at which it can start and still succeed, as deadlines inside have it: a
    /// repeat that would start later isn't started. `None` where no deadline is inside.
    pub start_by: Option<Duration>,
}

/// What a repeat of the node at `index` needs.
///
/// # Panics
///
/// Where the policy has no such node.
#[must_use]
pub const fn needs(policy: &Policy<'_>, index: usize) -> Needs {
    let all = needed(&View::of(policy.nodes), index);
    Needs {
        time: duration(all.time),
        start_by: bounded(all.start_by),
    }
}

/// The same in nanoseconds; `start_by` is `NONE` where no deadline says.
#[derive(Clone, Copy)]
pub(crate) struct Needed {
    pub(crate) time: u128,
    pub(crate) start_by: u128,
}

pub(crate) const fn needed(view: &View<'_>, node: usize) -> Needed {
    let kind = view.nodes[node].kind;
    let any = matches!(kind, Kind::Fallback | Kind::Race);
    let mut all = match kind {
        Kind::Attempt(attempt) => {
            return Needed {
                time: match attempt.takes {
                    Some(takes) => nanos(takes.min.lo),
                    None => 0,
                },
                start_by: NONE,
            };
        }
        Kind::Call(callee) => {
            return Needed {
                time: nanos(callee.best),
                start_by: NONE,
            };
        }
        _ if any => Needed {
            time: NONE,
            start_by: 0,
        },
        _ => Needed {
            time: 0,
            start_by: NONE,
        },
    };
    let mut child = node + 1;
    while child < view.end(node) {
        let one = needed(view, child);
        all = if any {
            Needed {
                time: least(all.time, one.time),
                start_by: most(all.start_by, one.start_by),
            }
        } else if matches!(kind, Kind::Series) {
            Needed {
                time: add(all.time, one.time),
                start_by: least(all.start_by, sub(one.start_by, all.time)),
            }
        } else {
            Needed {
                time: most(all.time, one.time),
                start_by: least(all.start_by, one.start_by),
            }
        };
        child = view.end(child);
    }
    if matches!(kind, Kind::Deadline(_))
        && let Some(limit) = view.limit(node, true)
    {
        // Starts are strict: what takes no time has to start before the deadline, not at it.
        all.start_by = least(sub(limit, most(all.time, 1)), all.start_by);
    }
    all
}
