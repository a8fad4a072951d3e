//! A policy as the planner reads it: its nodes, and at most one value changed, so that a fix can be planned without a copy.

use crate::amount::{NONE, nanos};
use crate::tree::{Attempts, Count, Kind, Node};

/// One value in place of the written one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A retry's attempts, a hedge's copies, or what an allowance grants.
    Count(u32),
    /// A timeout, a deadline, or an attempt's bound, in nanoseconds.
    Time(u128),
}

/// The nodes of a policy, with up to two changes.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) nodes: &'a [Node<'a>],
    pub(crate) changes: [Option<(usize, Change)>; 2],
    /// A limit that is taken as if it weren't there.
    pub(crate) without: usize,
    /// The budget whose charges are counted.
    pub(crate) key: &'a str,
}

/// How often a repeat starts its child.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) most: u32,
    /// The least, of a count that is known within bounds.
    pub(crate) least: u32,
    pub(crate) unlimited: bool,
    /// Whether the planner holds the policy to all of them.
    pub(crate) exact: bool,
}

impl<'a> View<'a> {
    pub(crate) const fn of(nodes: &'a [Node<'a>]) -> Self {
        Self {
            nodes,
            changes: [None, None],
            without: usize::MAX,
            key: "",
        }
    }

    pub(crate) const fn with(mut self, node: usize, change: Change) -> Self {
        let at = if self.changes[0].is_some() { 1 } else { 0 };
        self.changes[at] = Some((node, change));
        self
    }

    /// The same with one limit away.
    pub(crate) const fn without(mut self, limit: usize) -> Self {
        self.without = limit;
        self
    }

    /// The same, with the charges to one budget counted.
    pub(crate) const fn of_key(mut self, key: &'a str) -> Self {
        self.key = key;
        self
    }

    const fn changed(&self, node: usize) -> Option<Change> {
        let mut i = 0;
        while i < 2 {
            if let Some((at, change)) = self.changes[i]
                && at == node
            {
                return Some(change);
            }
            i += 1;
        }
        None
    }

    /// The time of a limit, or the bound of an attempt, at its low or high end.
    pub(crate) const fn limit(&self, node: usize, high: bool) -> Option<u128> {
        if node == self.without {
            return None;
        }
        let range = match self.nodes[node].kind {
            Kind::Timeout(range) | Kind::Deadline(range) => Some(range),
            Kind::Attempt(attempt) => attempt.bound,
            _ => None,
        };
        match (self.changed(node), range) {
            (Some(Change::Time(time)), _) => Some(time),
            (_, Some(range)) => Some(nanos(if high { range.hi } else { range.lo })),
            _ => None,
        }
    }

    /// The key of an allowance, and how much it grants at its low or high end.
    pub(crate) const fn grants(&self, node: usize, high: bool) -> Option<(&'a str, u128)> {
        let Kind::Allowance(allowance) = self.nodes[node].kind else {
            return None;
        };
        let Count { lo, hi } = match self.changed(node) {
            Some(Change::Count(n)) => Count::exact(n),
            _ => allowance.limit,
        };
        Some((allowance.key, if high { hi as u128 } else { lo as u128 }))
    }

    /// How often a retry or a hedge starts its child; once for all other nodes.
    pub(crate) const fn times(&self, node: usize) -> Times {
        let times = match self.nodes[node].kind {
            Kind::Retry(retry) => match retry.attempts {
                Attempts::Exactly(n) => Times::counted(n, true),
                Attempts::UpTo(n) => Times::counted(n, false),
                Attempts::Unlimited => Times {
                    unlimited: true,
                    ..Times::counted(Count::exact(u32::MAX), false)
                },
            },
            Kind::Hedge(hedge) => Times::counted(hedge.copies, true),
            _ => Times::counted(Count::exact(1), true),
        };
        match self.changed(node) {
            Some(Change::Count(n)) => Times::counted(Count::exact(n), times.exact),
            _ => times,
        }
    }

    /// The index behind a node's subtree.
    pub(crate) const fn end(&self, node: usize) -> usize {
        node + self.nodes[node].size
    }
}

impl Times {
    const fn counted(n: Count, exact: bool) -> Self {
        Self {
            most: n.hi,
            least: n.lo,
            unlimited: false,
            exact,
        }
    }

    /// As texts tell it: `NONE` where there is no count.
    pub(crate) const fn told(self) -> u128 {
        if self.unlimited { NONE } else { self.most as u128 }
    }
}
