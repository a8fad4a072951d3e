//! What makes a repeat worth its start (rules 4 and 20): planned with, and at run time asked before each repeat.

use core::time::Duration;

use super::start::Start;
use super::view::View;
use super::walk::walk;
use crate::amount::{NONE, bounded, duration, least, most, nanos, sub};
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
    match of_one_leaf(policy, index) {
        Some(needs) => needs,
        None => of_any(policy, index),
    }
}

const fn of_any(policy: &Policy<'_>, index: usize) -> Needs {
    let inner = walk(&View::of(policy.nodes), index, Start::ROOT).inner;
    Needs {
        time: duration(inner.time),
        start_by: bounded(inner.start_by),
    }
}

/// The same where all that is inside stands in one line, as most retries do: a few steps, since const evaluation takes them
/// for each policy of a crate. `None` where something branches.
const fn of_one_leaf(policy: &Policy<'_>, index: usize) -> Option<Needs> {
    let mut node = index;
    let mut deadline = NONE;
    loop {
        let inside = policy.nodes[node];
        match inside.kind {
            Kind::Attempt(attempt) => {
                let time = match attempt.takes {
                    Some(takes) => nanos(takes.min.lo),
                    None => 0,
                };
                return Some(by(time, deadline));
            }
            Kind::Call(callee) => return Some(by(nanos(callee.best), deadline)),
            Kind::Deadline(limit) => deadline = least(deadline, nanos(limit.hi)),
            Kind::Timeout(_) | Kind::Retry(_) | Kind::Hedge(_) | Kind::Allowance(_) => {}
            Kind::Series | Kind::Parallel | Kind::Fallback | Kind::Race => return None,
        }
        node += 1;
    }
}

/// Starts are strict: what takes no time has to start before the deadline, not at it.
const fn by(time: u128, deadline: u128) -> Needs {
    Needs {
        time: duration(time),
        start_by: if deadline == NONE {
            None
        } else {
            bounded(sub(deadline, most(time, 1)))
        },
    }
}

#[cfg(test)]
pub(super) mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::tree::{Attempt, Attempts, Backoff, Callee, Count, Hedge, Node, Range, Retry, Takes};
    use crate::{Levels, Plan};

    const MS: fn(u64) -> Range = |ms| Range::exact(Duration::from_millis(ms));

    /// Nodes that each hold the next.
    pub(in crate::plan) fn chain(kinds: &[Kind<'static>]) -> Vec<Node<'static>> {
        let node = |(at, kind): (usize, &Kind<'static>)| Node {
            name: "",
            size: kinds.len() - at,
            levels: Levels::DEFAULT,
            kind: *kind,
        };
        kinds.iter().enumerate().map(node).collect()
    }

    fn leaves() -> Vec<Kind<'static>> {
        let callee = Plan::of(&Policy {
            name: "Callee",
            nodes: &chain(&[attempt(Some(30), Some(400))]),
        })
        .best();
        vec![
            attempt(None, None),
            attempt(None, Some(700)),
            attempt(Some(20), Some(300)),
            Kind::Call(Callee {
                name: "Callee",
                best: callee,
                fastest_failure: Duration::ZERO,
                worst: Some(Duration::from_millis(400)),
                work: Some(Duration::from_millis(400)),
                calls: Some(1),
                leaf_calls: Some(1),
                unpaid: 0,
                repeaters: &[],
                unsafe_to_repeat: false,
                charges: &[],
            }),
        ]
    }

    fn attempt(min: Option<u64>, bound: Option<u64>) -> Kind<'static> {
        Kind::Attempt(Attempt {
            bound: bound.map(MS),
            takes: min.map(|min| Takes {
                min: MS(min),
                max: None,
            }),
            idempotent: true,
            key: false,
        })
    }

    fn around() -> Vec<Kind<'static>> {
        let retry = Kind::Retry(Retry {
            attempts: Attempts::Exactly(Count::exact(3)),
            backoff: Backoff::Fixed(MS(10)),
            jitter: None,
            budget: None,
            when: false,
            until: false,
            stop_on_timeout: false,
            hint: None,
        });
        let hedge = Kind::Hedge(Hedge {
            after: MS(5),
            copies: Count::exact(2),
            budget: None,
        });
        vec![
            retry,
            hedge,
            Kind::Timeout(MS(800)),
            Kind::Deadline(MS(900)),
            Kind::Deadline(MS(25)),
        ]
    }

    #[test]
    fn what_stands_in_one_line_needs_what_the_whole_walk_says() {
        let mut seen = 0;
        for leaf in leaves() {
            for outer in around() {
                for middle in around() {
                    for inner in around() {
                        let nodes = chain(&[outer, middle, inner, leaf]);
                        let policy = Policy {
                            name: "",
                            nodes: &nodes,
                        };
                        for index in 0..nodes.len() {
                            assert_eq!(
                                of_one_leaf(&policy, index),
                                Some(of_any(&policy, index)),
                                "{policy:?}"
                            );
                            seen += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(seen, 4 * 125 * 4);
    }
}
