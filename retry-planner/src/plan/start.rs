//! When a node can start, and what is left for it then (rule 14).

use super::view::View;
use crate::amount::{NONE, add, least, sub};
use crate::tree::Kind;

/// When a node can start, on the policy's clock, and what surrounds it.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// The earliest and the latest start.
    pub(crate) lo: u128,
    pub(crate) hi: u128,
    /// The time to the earliest enclosing limit at the earliest start.
    pub(crate) left: u128,
    /// The latest point on the policy's clock at which an enclosing limit ends.
    pub(crate) end: u128,
    /// The limit that leaves `left`.
    pub(crate) by: usize,
    /// Whether a repeat encloses it, so that it may start again, as late as whatever.
    pub(crate) repeated: bool,
    /// The nearest enclosing allowance.
    pub(crate) allowance: usize,
}

impl Start {
    pub(crate) const ROOT: Self = Self {
        lo: 0,
        hi: 0,
        left: NONE,
        end: NONE,
        by: usize::MAX,
        repeated: false,
        allowance: usize::MAX,
    };

    /// Of a policy whose caller has that much left.
    pub(crate) const fn within(left: u128) -> Self {
        Self {
            left,
            end: left,
            ..Self::ROOT
        }
    }

    /// Whether it happens at all: nothing starts at a limit or after it, nor after what never fails.
    pub(crate) const fn happens(&self) -> bool {
        self.left > 0 && self.lo != NONE
    }

    /// After something that takes between `lo` and `hi`.
    pub(crate) const fn after(self, lo: u128, hi: u128) -> Self {
        Self {
            lo: add(self.lo, lo),
            hi: add(self.hi, hi),
            left: sub(self.left, lo),
            ..self
        }
    }

    /// Inside the node that starts so.
    pub(crate) const fn inside(self, view: &View<'_>, node: usize) -> Self {
        let mut inside = self;
        match view.nodes[node].kind {
            Kind::Allowance(_) => inside.allowance = node,
            Kind::Retry(_) | Kind::Hedge(_) => {
                inside.repeated = self.repeated || view.times(node).most > 1;
            }
            _ => {}
        }
        let Some(limit) = view.limit(node, true) else {
            return inside;
        };
        let deadline = matches!(view.nodes[node].kind, Kind::Deadline(_));
        let left = if deadline { sub(limit, self.lo) } else { limit };
        let end = if deadline { limit } else { add(self.hi, limit) };
        if left < self.left {
            inside.left = left;
            inside.by = node;
        }
        inside.end = least(self.end, end);
        inside
    }
}
