//! The plan of a policy, and what is to be said of it.
//!
//! `view` reads the nodes and `start` says when each can start; `figures` adds a node up from its children, with `repeat` for
//! what repeats and `parts` for what is carried beside figures; `walk` orders these steps; `table` keeps a row for each node,
//! which `findings` judges; `fix` plans again with values changed, and `message` tells. `budget` holds demand against
//! snapshots, `needs` is asked before each repeat of a run, and `pieces` draws the worst case. What is `const` answers for one
//! node and plans the policy for it; [`Judged`] plans it once, on the heap, and answers for all of them, as [`Judgement`] does
//! in const evaluation.

mod budget;
mod figures;
mod findings;
mod fix;
mod judged;
mod judgement;
mod message;
mod needs;
mod parts;
mod pieces;
mod plain;
mod repeat;
mod start;
mod table;
mod view;
mod walk;

use core::fmt;
use core::time::Duration;

use crate::amount::{NONE, bounded, count, duration, least, nanos};
use crate::lint::{Level, Lint};
use crate::text::Text;
use crate::tree::{Callee, Charge, Kind, Policy, Repeater};
use budget::Charges;
pub use budget::{Budgeted, Demand, Snapshot, SnapshotFault, Standing, demand_of};
use figures::Row;
use findings::find;
pub use judged::{Found, Judged, NodePlan};
pub use judgement::Judgement;
pub use needs::{Needs, needs};
use parts::{FACTORS, Leaf};
pub use pieces::{Piece, What};
use start::Start;
use table::{Entry, Table};
use view::View;
use walk::walk;

/// The figures of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan<'a> {
    name: &'a str,
    leaf_calls: Option<u64>,
    unpaid: u32,
    repeaters: Repeaters<'a>,
    unsafe_to_repeat: bool,
    best: Duration,
    fastest_failure: Duration,
    worst: Option<Duration>,
    work: Option<Duration>,
    calls: Option<u64>,
    charges: Charges<'a>,
}

/// The repeaters around one leaf, as a constant can hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Repeaters<'a> {
    list: [Repeater<'a>; FACTORS],
    len: usize,
}

impl<'a> Repeaters<'a> {
    const NONE: Self = Self {
        list: [Repeater {
            name: "",
            times: None,
        }; FACTORS],
        len: 0,
    };

    /// The outermost first: those of the policy itself, then those of what the leaf calls.
    const fn around(name: &'a str, view: &View<'a>, leaf: Leaf) -> Self {
        let mut all = Self::NONE;
        let mut i = leaf.len;
        while i > 0 {
            i -= 1;
            all = all.with(Repeater {
                name,
                times: count(leaf.factors[i]),
            });
        }
        if let Kind::Call(callee) = view.nodes[leaf.node].kind {
            all = all.and(callee.repeaters);
        }
        all
    }

    const fn listed(repeaters: &[Repeater<'a>]) -> Self {
        Self::NONE.and(repeaters)
    }

    const fn and(mut self, inside: &[Repeater<'a>]) -> Self {
        let mut i = 0;
        while i < inside.len() {
            self = self.with(inside[i]);
            i += 1;
        }
        self
    }

    const fn with(mut self, one: Repeater<'a>) -> Self {
        if self.len < FACTORS {
            self.list[self.len] = one;
            self.len += 1;
        } else {
            let last = self.list[FACTORS - 1].times;
            self.list[FACTORS - 1].times = match (last, one.times) {
                (Some(last), Some(times)) => Some(last.saturating_mul(times)),
                _ => None,
            };
        }
        self
    }
}

impl<'a> Policy<'a> {
    /// The policy's plan.
    #[must_use]
    pub const fn plan(&self) -> Plan<'a> {
        Plan::of(self)
    }

    /// The policy's plan for a caller that has so much time left, as its deadline in a scope would have it: nothing starts
    /// once that has passed, and no repeat whose fastest success would come later.
    #[must_use]
    pub const fn plan_within(&self, remaining: Duration) -> Plan<'a> {
        Plan::within(self, remaining)
    }
}

impl<'a> Plan<'a> {
    /// Plans a policy.
    #[must_use]
    pub const fn of(policy: &Policy<'a>) -> Self {
        Self::from(policy, NONE)
    }

    /// Plans a policy for a caller that has so much time left.
    #[must_use]
    pub const fn within(policy: &Policy<'a>, remaining: Duration) -> Self {
        Self::from(policy, nanos(remaining))
    }

    /// The plan whose callers see this of it: what a macro that has planned a policy puts into its code.
    ///
    /// What a `Callee` doesn't hold of a plan is not there: repeaters beyond the eighth, and budgets beyond the eighth.
    #[doc(hidden)]
    #[must_use]
    pub const fn told(callee: Callee<'a>) -> Self {
        Self {
            name: callee.name,
            leaf_calls: callee.leaf_calls,
            unpaid: callee.unpaid,
            repeaters: Repeaters::listed(callee.repeaters),
            unsafe_to_repeat: callee.unsafe_to_repeat,
            best: callee.best,
            fastest_failure: callee.fastest_failure,
            worst: callee.worst,
            work: callee.work,
            calls: callee.calls,
            charges: Charges::listed(callee.charges),
        }
    }

    const fn from(policy: &Policy<'a>, left: u128) -> Self {
        let view = View::of(policy.nodes);
        let row = walk(&view, 0, Start::within(left));
        Self::of_row(policy, &view, left, &row)
    }

    /// The plan of a policy whose root has this row.
    const fn of_row(policy: &Policy<'a>, view: &View<'a>, left: u128, row: &Row) -> Self {
        let start = Start::within(left);
        let all = row.figures;
        Self {
            name: policy.name,
            leaf_calls: count(row.leaf.calls),
            unpaid: row.leaf.unpaid,
            repeaters: Repeaters::around(policy.name, view, row.leaf),
            unsafe_to_repeat: unsafe_to_repeat(policy),
            best: duration(all.best),
            fastest_failure: duration(least(all.failure, left)),
            worst: bounded(least(all.worst, left)),
            work: bounded(all.work),
            calls: count(all.calls),
            charges: Charges::of(view, start),
        }
    }

    /// The policy's name.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// What a caller sees of the policy.
    #[must_use]
    pub const fn callee(&self) -> Callee<'_> {
        Callee {
            name: self.name,
            best: self.best,
            fastest_failure: self.fastest_failure,
            worst: self.worst,
            work: self.work,
            calls: self.calls,
            leaf_calls: self.leaf_calls,
            unpaid: self.unpaid,
            repeaters: self.repeaters.list.split_at(self.repeaters.len).0,
            unsafe_to_repeat: self.unsafe_to_repeat,
            charges: self.charges(),
        }
    }

    /// The most units that one run charges to each budget, for up to eight budgets (a policy with more of them has an
    /// `overflow`; [`Judged::budgets`] has them all); saturates at `u32::MAX`.
    ///
    /// An upper bound where an allowance inside refuses some of them.
    #[must_use]
    pub const fn charges(&self) -> &[Charge<'a>] {
        self.charges.list()
    }

    /// The fastest success.
    #[must_use]
    pub const fn best(&self) -> Duration {
        self.best
    }

    /// The latest end; `None` where there is none.
    #[must_use]
    pub const fn worst(&self) -> Option<Duration> {
        self.worst
    }

    /// The fastest failure.
    #[must_use]
    pub const fn fastest_failure(&self) -> Duration {
        self.fastest_failure
    }

    /// The time that operations run, added over all of them; `None` where it has no bound.
    #[must_use]
    pub const fn work(&self) -> Option<Duration> {
        self.work
    }

    /// The most calls of the operations in all; `None` where there is no bound.
    #[must_use]
    pub const fn calls(&self) -> Option<u64> {
        self.calls
    }
}

impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Text::new()
            .push("best ")
            .time(self.best.as_nanos(), false)
            .push(", worst ");
        let text = match self.worst {
            Some(worst) => text.time(worst.as_nanos(), false),
            None => text.push("unbounded"),
        };
        let text = text.push(", calls ");
        let text = match self.calls {
            Some(calls) => text.number(u128::from(calls)),
            None => text.push("unbounded"),
        };
        f.write_str(text.as_str())
    }
}

const fn unsafe_to_repeat(policy: &Policy<'_>) -> bool {
    let mut i = 0;
    while i < policy.nodes.len() {
        match policy.nodes[i].kind {
            Kind::Attempt(attempt) if !attempt.idempotent && !attempt.key => return true,
            Kind::Call(callee) if callee.unsafe_to_repeat => return true,
            _ => {}
        }
        i += 1;
    }
    false
}

/// The most nodes that are judged without a heap.
pub const CONST_NODES: usize = 512;

const fn too_large() -> ! {
    panic!("a policy of more than 512 nodes is judged by `Judged`, on the heap")
}

/// Entries for as many nodes as the policy has, in steps, so that small policies take little of the stack.
macro_rules! sized {
    ($policy:ident, $judge:ident($($argument:expr),*)) => {
        match $policy.nodes.len() {
            0..=16 => $judge::<16>($policy, $($argument),*),
            17..=64 => $judge::<64>($policy, $($argument),*),
            65..=CONST_NODES => $judge::<CONST_NODES>($policy, $($argument),*),
            _ => too_large(),
        }
    };
}

/// Whether the policy has that finding at that node, whatever its level.
///
/// # Panics
///
/// For a policy of more than [`CONST_NODES`] nodes; [`Judged`] has no such limit.
#[must_use]
pub const fn has(policy: &Policy<'_>, lint: Lint, node: usize) -> bool {
    sized!(policy, sized_has(lint, node, node + 1))
}

/// Whether the policy has that finding at that node or inside it, whatever its level.
///
/// # Panics
///
/// For a policy of more than [`CONST_NODES`] nodes; [`Judged`] has no such limit.
#[must_use]
pub const fn has_inside(policy: &Policy<'_>, lint: Lint, node: usize) -> bool {
    sized!(policy, sized_has(lint, node, node + policy.nodes[node].size))
}

const fn sized_has<const N: usize>(policy: &Policy<'_>, lint: Lint, from: usize, to: usize) -> bool {
    let mut entries = [Entry::EMPTY; N];
    let table = Table::fill(View::of(policy.nodes), NONE, &mut entries);
    let mut node = from;
    while node < to {
        if find(&table, lint, node).is_some() {
            return true;
        }
        node += 1;
    }
    false
}

/// Whether the policy has that finding at that node, and it is to be warned of.
#[must_use]
pub const fn warns(policy: &Policy<'_>, lint: Lint, node: usize) -> bool {
    matches!(policy.nodes[node].levels.get(lint), Level::Warn) && has(policy, lint, node)
}

/// What is said of a finding; `None` where there is none.
///
/// # Panics
///
/// For a policy of more than [`CONST_NODES`] nodes; [`Judged`] has no such limit.
#[must_use]
pub const fn message(policy: &Policy<'_>, lint: Lint, node: usize) -> Option<Text> {
    sized!(policy, sized_message(lint, node))
}

const fn sized_message<const N: usize>(policy: &Policy<'_>, lint: Lint, node: usize) -> Option<Text> {
    let mut entries = [Entry::EMPTY; N];
    let table = Table::fill(View::of(policy.nodes), NONE, &mut entries);
    match find(&table, lint, node) {
        Some(found) => Some(message::message(
            policy.name,
            &table,
            &mut [Entry::EMPTY; N],
            found,
        )),
        None => None,
    }
}

/// The most calls of the leaf at that index from one run; `None` where there is no bound.
///
/// # Panics
///
/// For a policy of more than [`CONST_NODES`] nodes; [`Judged`] has no such limit.
#[must_use]
pub const fn leaf_calls(policy: &Policy<'_>, leaf: usize) -> Option<u64> {
    sized!(policy, sized_leaf_calls(leaf))
}

const fn sized_leaf_calls<const N: usize>(policy: &Policy<'_>, leaf: usize) -> Option<u64> {
    let mut entries = [Entry::EMPTY; N];
    count(table::leaf_calls(
        &Table::fill(View::of(policy.nodes), NONE, &mut entries),
        leaf,
    ))
}

/// The worst case, line by line: the attempts or steps inside the outermost limits.
///
/// # Panics
///
/// For a policy of more than [`CONST_NODES`] nodes; [`Judged`] has no such limit.
#[must_use]
pub const fn timeline(policy: &Policy<'_>) -> Text {
    sized!(policy, sized_timeline())
}

const fn sized_timeline<const N: usize>(policy: &Policy<'_>) -> Text {
    let mut entries = [Entry::EMPTY; N];
    timeline_of(&Table::fill(View::of(policy.nodes), NONE, &mut entries))
}

const fn timeline_of(table: &Table<'_, '_>) -> Text {
    let have = match table.view.nodes[0].kind {
        Kind::Timeout(limit) | Kind::Deadline(limit) => nanos(limit.hi),
        _ => NONE,
    };
    message::timeline(Text::new(), table, 0, have)
}

/// Refuses the policy if a finding at that node is denied.
///
/// # Panics
///
/// With what is said of the first denied finding; and for a policy of more than [`CONST_NODES`] nodes.
#[track_caller]
pub const fn check(policy: &Policy<'_>, node: usize) {
    if let Some(text) = sized!(policy, sized_denied(node)) {
        panic!("{}", text.as_str());
    }
}

const fn sized_denied<const N: usize>(policy: &Policy<'_>, node: usize) -> Option<Text> {
    let mut entries = [Entry::EMPTY; N];
    let table = Table::fill(View::of(policy.nodes), NONE, &mut entries);
    // A finding is rare, so the room for its text and its fixes is only taken for one.
    let mut i = 0;
    while i < Lint::ALL.len() {
        let lint = Lint::ALL[i];
        let denied = matches!(policy.nodes[node].levels.get(lint), Level::Deny);
        if denied && let Some(found) = find(&table, lint, node) {
            return Some(message::message(
                policy.name,
                &table,
                &mut [Entry::EMPTY; N],
                found,
            ));
        }
        i += 1;
    }
    None
}

/// Refuses what a policy of one leaf has because of what its leaf calls: the findings of `calling` that `alone` hasn't.
///
/// # Panics
/// With what is said of the first denied finding; and for a policy of more than [`CONST_NODES`] nodes.
#[track_caller]
pub const fn check_calling(alone: &Policy<'_>, calling: &Policy<'_>) {
    if let Some(text) = sized!(calling, sized_calling(alone)) {
        panic!("{}", text.as_str());
    }
}

const fn sized_calling<const N: usize>(calling: &Policy<'_>, alone: &Policy<'_>) -> Option<Text> {
    let leaf = alone.nodes.len() - 1;
    let mut entries = [Entry::EMPTY; N];
    let table = Table::fill(View::of(calling.nodes), NONE, &mut entries);
    let mut without = [Entry::EMPTY; N];
    let without = Table::fill(View::of(alone.nodes), NONE, &mut without);
    let mut node = 0;
    while node < calling.nodes.len() {
        let mut i = 0;
        while i < Lint::ALL.len() {
            let lint = Lint::ALL[i];
            if matches!(calling.nodes[node].levels.get(lint), Level::Deny)
                && find(&without, lint, if node < leaf { node } else { leaf }).is_none()
                && let Some(found) = find(&table, lint, node)
            {
                return Some(message::message(
                    calling.name,
                    &table,
                    &mut [Entry::EMPTY; N],
                    found,
                ));
            }
            i += 1;
        }
        node += 1;
    }
    None
}

/// Refuses the policy if any finding of it is denied.
///
/// # Panics
///
/// With what is said of the first denied finding; and for a policy of more than [`CONST_NODES`] nodes.
#[track_caller]
pub const fn check_all(policy: &Policy<'_>) {
    let mut node = 0;
    while node < policy.nodes.len() {
        check(policy, node);
        node += 1;
    }
}
