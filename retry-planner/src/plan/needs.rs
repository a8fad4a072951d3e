//! What makes a repeat worth its start (rules 4 and 20): planned with, and at run time asked before each repeat.

use core::time::Duration;

use super::start::Start;
use super::view::View;
use super::walk::walk;
use crate::amount::{bounded, duration};
use crate::tree::Policy;

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
    let inner = walk(&View::of(policy.nodes), index, Start::ROOT).inner;
    Needs {
        time: duration(inner.time),
        start_by: bounded(inner.start_by),
    }
}
