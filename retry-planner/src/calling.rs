//! What a function calls, put where its body stands: a chain of functions is judged as one policy.
//!
//! The leaf becomes a limit (where the attempt has a bound, or is declared to take no longer) around a series of calls. The
//! planner sees no more of a body than what it declares, so it takes each callee as called once, one after another: an
//! upper bound where a body chooses between them. A body may also call none of them, or fail before it does, so that no
//! callee adds to the fastest success or failure.

use core::time::Duration;

use crate::lint::{Level, Lint};
use crate::tree::{Attempt, Callee, Kind, Node, Policy, Range};

/// The name of the limit that stands for an attempt's bound.
pub(crate) const BOUND: &str = "attempt";

/// How many nodes a policy of one leaf has once its leaf calls so many.
#[must_use]
pub const fn length(policy: &Policy<'_>, callees: usize) -> usize {
    let limited = match policy.nodes[policy.nodes.len() - 1].kind {
        Kind::Attempt(attempt) => bound(attempt).is_some(),
        _ => false,
    };
    let own = match policy.nodes[policy.nodes.len() - 1].kind {
        Kind::Call(_) => 1,
        _ => 0,
    };
    policy.nodes.len() + limited as usize + own + callees
}

/// The nodes of a policy of one leaf that calls `callees`; `levels` are set on all of them.
///
/// # Panics
/// If `N` isn't [`length`].
#[must_use]
pub const fn nodes<'a, const N: usize>(
    policy: &Policy<'a>,
    callees: &[Callee<'a>],
    levels: &[(Lint, Level)],
) -> [Node<'a>; N] {
    assert!(N == length(policy, callees.len()), "one node for each callee");
    let leaf = policy.nodes.len() - 1;
    let more = N - policy.nodes.len();
    let mut nodes = [policy.nodes[leaf]; N];
    let mut at = 0;
    while at < leaf {
        nodes[at] = policy.nodes[at];
        // There is one leaf, so every other node is around it.
        nodes[at].size += more;
        at += 1;
    }
    let mut min = Duration::ZERO;
    let mut unsafe_to_repeat = false;
    let mut key = false;
    if let Kind::Attempt(attempt) = policy.nodes[leaf].kind {
        if let Some(limit) = bound(attempt) {
            nodes[at].kind = Kind::Timeout(limit);
            nodes[at].size = N - at;
            nodes[at].name = BOUND;
            at += 1;
        }
        if let Some(takes) = attempt.takes {
            min = takes.min.lo;
        }
        unsafe_to_repeat = !attempt.idempotent && !attempt.key;
        key = attempt.key;
    }
    nodes[at].kind = Kind::Series;
    nodes[at].size = N - at;
    at += 1;
    if let Kind::Call(callee) = policy.nodes[leaf].kind {
        nodes[at].kind = Kind::Call(callee);
        nodes[at].name = callee.name;
        at += 1;
    }
    let mut i = 0;
    while i < callees.len() {
        let callee = callees[i];
        nodes[at].name = callee.name;
        nodes[at].kind = Kind::Call(Callee {
            best: min,
            fastest_failure: Duration::ZERO,
            // A key that the body has is there for what it calls.
            unsafe_to_repeat: unsafe_to_repeat || (callee.unsafe_to_repeat && !key),
            ..callee
        });
        min = Duration::ZERO;
        unsafe_to_repeat = false;
        at += 1;
        i += 1;
    }
    let mut at = 0;
    while at < N {
        let mut i = 0;
        while i < levels.len() {
            nodes[at].levels = nodes[at].levels.with(levels[i].0, levels[i].1);
            i += 1;
        }
        at += 1;
    }
    nodes
}

/// The time after which an attempt has ended: its bound, or the longest that it is declared to take.
const fn bound(attempt: Attempt) -> Option<Range> {
    let declared = match attempt.takes {
        Some(takes) => takes.max,
        None => None,
    };
    match (attempt.bound, declared) {
        (Some(one), Some(other)) => Some(Range {
            lo: shorter(one.lo, other.lo),
            hi: shorter(one.hi, other.hi),
        }),
        (Some(one), None) | (None, Some(one)) => Some(one),
        (None, None) => None,
    }
}

const fn shorter(one: Duration, other: Duration) -> Duration {
    if one.as_nanos() < other.as_nanos() {
        one
    } else {
        other
    }
}
