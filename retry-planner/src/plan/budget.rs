//! What a policy may charge to each budget, against what the budget has left.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::figures::same;
use super::parts::Asked;
use super::start::Start;
use super::view::View;
use super::walk::walk;
use crate::amount::{NONE, count, mul};
use crate::tree::{Charge, Hedge, Kind, Policy, Retry};

/// How many budgets of one policy its callers are told of, as a constant can hold; a policy with more has an `overflow`.
pub(super) const TOLD: usize = 8;

/// What one run charges to a budget at the most; `None` is without bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand<'a> {
    /// The budget's path as written, without white space.
    pub key: &'a str,
    /// Retries; those of called policies are counted here, their hedges included, in units.
    pub retries: Option<u64>,
    /// Hedges.
    pub hedges: Option<u64>,
    /// Units, each repeat at its highest cost; what allowances inside the policy refuse left out.
    pub units: Option<u64>,
}

/// What a budget has left, as the caller knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot<'a> {
    /// The budget's path as the policy has it, without white space.
    pub key: &'a str,
    /// The units that it has left.
    pub left: u64,
    /// The units that it can hold.
    pub capacity: u64,
    /// How many of its units one unit of the policy's demand costs; 1 where the policy's charges are in its units.
    pub cost: u64,
}

/// Whether a budget has what a run may ask it for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It has, or nothing is asked.
    Admissible,
    /// It hasn't.
    Exceeded,
    /// There is demand, and nobody said what it has.
    Unverified,
}

impl Standing {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Admissible => "admissible",
            Self::Exceeded => "exceeded",
            Self::Unverified => "unverified",
        }
    }
}

/// A budget of a policy: what a run asks of it, and what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgeted<'a> {
    /// What a run asks.
    pub demand: Demand<'a>,
    /// What it has; `None` where nobody said.
    pub snapshot: Option<Snapshot<'a>>,
    /// Whether that is enough.
    pub standing: Standing,
    /// The first node, in preorder, that charges it.
    pub node: usize,
}

/// Snapshots that can't be those of the policy's budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotFault<'a> {
    /// Two for one budget.
    Duplicate {
        /// The budget's key.
        key: &'a str,
    },
    /// One for a budget that the policy doesn't name.
    Unknown {
        /// The snapshot's key.
        key: &'a str,
    },
    /// One that says that there is more left than the budget can hold.
    Impossible {
        /// The budget's key.
        key: &'a str,
        /// The units left.
        left: u64,
        /// The units that it can hold.
        capacity: u64,
    },
}

impl fmt::Display for SnapshotFault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { key } => write!(f, "two snapshots of the budget `{key}`"),
            Self::Unknown { key } => write!(f, "a snapshot of `{key}`, which the policy doesn't charge"),
            Self::Impossible { key, left, capacity } => write!(
                f,
                "a snapshot of `{key}` with {left} units left, where it holds at most {capacity}"
            ),
        }
    }
}

impl Error for SnapshotFault<'_> {}

/// The budgets of a policy in the order in which they are first charged, without those of later ones' snapshots.
pub(super) fn budgets<'a>(
    policy: &Policy<'a>,
    start: Start,
    snapshots: &[Snapshot<'a>],
) -> Result<Vec<Budgeted<'a>>, SnapshotFault<'a>> {
    let view = View::of(policy.nodes);
    let mut all: Vec<Budgeted<'a>> = Vec::new();
    for node in 0..policy.nodes.len() {
        let mut i = 0;
        while let Some(key) = charged(&view, node, i) {
            i += 1;
            if all.iter().any(|known| known.demand.key == key) {
                continue;
            }
            let asked = walk(&view.of_key(key), 0, start).asked;
            let snapshot = snapshots.iter().find(|snapshot| snapshot.key == key).copied();
            all.push(Budgeted {
                demand: demand(key, asked),
                snapshot,
                standing: standing(asked.units, snapshot),
                node,
            });
        }
    }
    for (i, snapshot) in snapshots.iter().enumerate() {
        let &Snapshot {
            key, left, capacity, ..
        } = snapshot;
        if snapshots[..i].iter().any(|other| other.key == key) {
            return Err(SnapshotFault::Duplicate { key });
        }
        if !all.iter().any(|budget| budget.demand.key == key) {
            return Err(SnapshotFault::Unknown { key });
        }
        if left > capacity {
            return Err(SnapshotFault::Impossible { key, left, capacity });
        }
    }
    Ok(all)
}

fn standing(units: u128, snapshot: Option<Snapshot<'_>>) -> Standing {
    match snapshot {
        _ if units == 0 => Standing::Admissible,
        None => Standing::Unverified,
        Some(snapshot) if asks(units, snapshot) > u128::from(snapshot.left) => Standing::Exceeded,
        Some(_) => Standing::Admissible,
    }
}

/// The demand in the budget's own units.
pub(super) const fn asks(units: u128, snapshot: Snapshot<'_>) -> u128 {
    mul(units, snapshot.cost as u128)
}

const fn demand(key: &str, asked: Asked) -> Demand<'_> {
    Demand {
        key,
        retries: count(asked.retries),
        hedges: count(asked.hedges),
        units: count(asked.units),
    }
}

/// The `i`th budget that a node charges.
const fn charged<'a>(view: &View<'a>, node: usize, i: usize) -> Option<&'a str> {
    match view.nodes[node].kind {
        Kind::Retry(Retry {
            budget: Some(budget), ..
        })
        | Kind::Hedge(Hedge {
            budget: Some(budget), ..
        }) if i == 0 => Some(budget.key),
        Kind::Call(callee) if i < callee.charges.len() => Some(callee.charges[i].key),
        _ => None,
    }
}

/// The demand by key, as a constant can hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charges<'a> {
    list: [Charge<'a>; TOLD],
    len: usize,
    /// Whether there are more budgets than that.
    more: bool,
}

impl<'a> Charges<'a> {
    pub(super) const NONE: Self = Self {
        list: [Charge { key: "", cost: 0 }; TOLD],
        len: 0,
        more: false,
    };

    #[expect(clippy::cast_possible_truncation, reason = "cut to the range of u32 first")]
    pub(super) const fn of(view: &View<'a>, start: Start) -> Self {
        let mut all = Self::keys(view);
        let mut i = 0;
        while i < all.len {
            let units = walk(&view.of_key(all.list[i].key), 0, start).asked.units;
            all.list[i].cost = crate::amount::least(units, u32::MAX as u128) as u32;
            i += 1;
        }
        all
    }

    pub(super) const fn listed(charges: &[Charge<'a>]) -> Self {
        let mut all = Self::NONE;
        while all.len < charges.len() && all.len < TOLD {
            all.list[all.len] = charges[all.len];
            all.len += 1;
        }
        all
    }

    const fn keys(view: &View<'a>) -> Self {
        let mut all = Self::NONE;
        let mut node = 0;
        while node < view.nodes.len() {
            let mut i = 0;
            while let Some(key) = charged(view, node, i) {
                i += 1;
                if all.knows(key) {
                    continue;
                }
                if all.len == TOLD {
                    all.more = true;
                    return all;
                }
                all.list[all.len].key = key;
                all.len += 1;
            }
            node += 1;
        }
        all
    }

    const fn knows(&self, key: &str) -> bool {
        let mut i = 0;
        while i < self.len {
            if same(self.list[i].key, key) {
                return true;
            }
            i += 1;
        }
        false
    }

    pub(super) const fn list(&self) -> &[Charge<'a>] {
        let (list, _) = self.list.split_at(self.len);
        list
    }
}

/// Whether a policy has more budgets than callers can be told of.
pub(super) const fn more_than_told(view: &View<'_>) -> bool {
    Charges::keys(view).more
}

/// What the whole policy asks of one budget; nothing for one that it doesn't name.
#[must_use]
pub const fn demand_of<'a>(policy: &Policy<'a>, key: &'a str) -> Demand<'a> {
    demand(
        key,
        walk(&View::of(policy.nodes).of_key(key), 0, Start::within(NONE)).asked,
    )
}
