//! A policy judged at run time: planned once, on the heap, for any number of nodes, with what is only known then.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use super::budget::{Budgeted, Snapshot, SnapshotFault, Standing, asks, budgets};
use super::findings::{self, find};
use super::message;
use super::pieces::{self, Piece};
use super::start::Start;
use super::table::{Entry, Table, leaf_calls};
use super::view::View;
use super::{Plan, timeline_of};
use crate::amount::{NONE, bounded, count, duration, nanos};
use crate::lint::{Level, Lint};
use crate::text::Text;
use crate::tree::Policy;

/// A policy with everything that the planner knows of it.
///
/// ```
/// # use std::time::Duration;
/// # use retry_planner::{Attempt, Kind, Levels, Lint, Node, Policy, Range, plan::Judged};
/// # let limit = |ms| Range::exact(Duration::from_millis(ms));
/// # let node = |size, kind| Node { name: "", size, levels: Levels::DEFAULT, kind };
/// # let attempt = Attempt { bound: Some(limit(300)), takes: None, idempotent: true, key: false };
/// let nodes = [node(2, Kind::Deadline(limit(200))), node(1, Kind::Attempt(attempt))];
/// let policy = Policy { name: "Charge", nodes: &nodes };
/// let judged = Judged::of(&policy);
/// let findings: Vec<_> = judged.findings().map(|found| (found.lint, found.node)).collect();
/// assert_eq!(findings, [(Lint::NeverFires, 1)]);
/// ```
pub struct Judged<'a> {
    policy: Policy<'a>,
    left: u128,
    entries: Vec<Entry>,
    budgets: Vec<Budgeted<'a>>,
    /// Whether snapshots were given.
    informed: bool,
}

/// The figures of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodePlan {
    /// Its earliest start, on the policy's clock.
    pub earliest: Duration,
    /// Its latest start over all repeats around it; `None` where there is no end of them.
    pub latest: Option<Duration>,
    /// How often one run can start it, at the most; `None` where there is no bound.
    pub starts: Option<u64>,
    /// For a retry or a hedge, how many of its attempts or copies can start each time; 1 for every other node.
    pub attempts: Option<u64>,
    /// Its fastest success.
    pub best: Duration,
    /// Its fastest failure.
    pub fastest_failure: Duration,
    /// The longest that it can take each time; `None` where it has no bound of its own.
    pub worst: Option<Duration>,
    /// The time that operations run inside, added over all of them, each time.
    pub work: Option<Duration>,
    /// The most calls of the operations inside, each time.
    pub calls: Option<u64>,
}

/// A finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub lint: Lint,
    /// The node that it is about.
    pub node: usize,
    /// Its level there.
    pub level: Level,
}

impl<'a> Judged<'a> {
    /// Judges a policy.
    #[must_use]
    pub fn of(policy: &Policy<'a>) -> Self {
        Self::from(policy, NONE)
    }

    /// Judges a policy for a caller that has so much time left.
    #[must_use]
    pub fn within(policy: &Policy<'a>, remaining: Duration) -> Self {
        Self::from(policy, nanos(remaining))
    }

    fn from(policy: &Policy<'a>, left: u128) -> Self {
        let mut entries = vec![Entry::EMPTY; policy.nodes.len()];
        Table::fill(View::of(policy.nodes), left, &mut entries);
        Self {
            policy: *policy,
            left,
            entries,
            budgets: budgets(policy, Start::within(left), &[]).unwrap_or_default(),
            informed: false,
        }
    }

    /// The same with what the budgets have left, which brings `retry_budget_exceeded` and `retry_budget_unverified`.
    ///
    /// # Errors
    /// If a snapshot can't be one of a budget of the policy.
    pub fn with_budgets(mut self, snapshots: &[Snapshot<'a>]) -> Result<Self, SnapshotFault<'a>> {
        self.budgets = budgets(&self.policy, Start::within(self.left), snapshots)?;
        self.informed = true;
        Ok(self)
    }

    fn table(&self) -> Table<'_, 'a> {
        Table::of(View::of(self.policy.nodes), &self.entries)
    }

    /// The policy's figures.
    #[must_use]
    pub fn plan(&self) -> Plan<'a> {
        Plan::from(&self.policy, self.left)
    }

    /// The figures of one node.
    ///
    /// # Panics
    ///
    /// Where the policy has no such node.
    #[must_use]
    pub fn node(&self, index: usize) -> NodePlan {
        let entry = &self.entries[index];
        let (row, figures) = (&entry.row, entry.row.figures);
        NodePlan {
            earliest: duration(row.start.lo),
            latest: bounded(row.start.hi),
            starts: count(entry.starts),
            attempts: count(row.makes),
            best: duration(figures.best),
            fastest_failure: duration(figures.failure),
            worst: bounded(figures.worst),
            work: bounded(figures.work),
            calls: count(figures.calls),
        }
    }

    /// The most calls of each leaf from one run, by its index; `None` where there is no bound.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, Option<u64>)> {
        let table = self.table();
        (0..self.entries.len())
            .filter(move |leaf| self.policy.nodes[*leaf].size == 1)
            .map(move |leaf| (leaf, count(leaf_calls(&table, leaf))))
    }

    /// Every budget that the policy charges, in the order in which it is first charged.
    #[must_use]
    pub fn budgets(&self) -> &[Budgeted<'a>] {
        &self.budgets
    }

    /// The worst case, line by line: the attempts or steps inside the outermost limits.
    #[must_use]
    pub fn timeline(&self) -> Text {
        timeline_of(&self.table())
    }

    /// The worst case, piece by piece: each attempt and wait, as late and as long as it may be; at most so many.
    #[must_use]
    pub fn pieces(&self, at_most: usize) -> Vec<Piece> {
        pieces::pieces(&self.table(), self.left, at_most)
    }

    /// Every finding, node by node, the strongest first, whatever its level.
    pub fn findings(&self) -> impl Iterator<Item = Found> {
        let levels = self.policy.nodes;
        (0..self.entries.len()).flat_map(move |node| {
            Lint::ALL
                .into_iter()
                .filter(move |lint| self.has(*lint, node))
                .map(move |lint| Found {
                    lint,
                    node,
                    level: levels[node].levels.get(lint),
                })
        })
    }

    /// Every `#[expect]` of what isn't found, as its name and the node that it stands on; whoever has the text tells of it
    /// (`unfulfilled_expect`).
    pub fn unfulfilled(&self) -> impl Iterator<Item = (Lint, usize)> {
        (0..self.entries.len()).flat_map(move |node| {
            Lint::ALL
                .into_iter()
                .filter(move |lint| findings::unfulfilled(&self.table(), *lint, node))
                .map(move |lint| (lint, node))
        })
    }

    /// Whether the policy has that finding at that node or inside it, whatever its level.
    #[must_use]
    pub fn has_inside(&self, lint: Lint, node: usize) -> bool {
        (node..node + self.policy.nodes[node].size).any(|inside| self.has(lint, inside))
    }

    /// Whether the policy has that finding at that node, whatever its level.
    #[must_use]
    pub fn has(&self, lint: Lint, node: usize) -> bool {
        self.find(lint, node).is_some()
    }

    /// What is said of a finding; `None` where there is none.
    #[must_use]
    pub fn message(&self, lint: Lint, node: usize) -> Option<Text> {
        let found = self.find(lint, node)?;
        let mut spare = vec![Entry::EMPTY; self.entries.len()];
        Some(message::message(
            self.policy.name,
            &self.table(),
            &mut spare,
            found,
        ))
    }

    fn find(&self, lint: Lint, node: usize) -> Option<findings::Found> {
        find(&self.table(), lint, node).or_else(|| self.of_budget(lint, node))
    }

    /// What snapshots show.
    fn of_budget(&self, lint: Lint, node: usize) -> Option<findings::Found> {
        let standing = match lint {
            Lint::RetryBudgetExceeded => Standing::Exceeded,
            Lint::RetryBudgetUnverified => Standing::Unverified,
            _ => return None,
        };
        let budget = self
            .budgets
            .iter()
            .find(|budget| self.informed && budget.node == node && budget.standing == standing)?;
        let units = budget.demand.units.map_or(NONE, u128::from);
        Some(findings::Found {
            lint,
            node,
            by: node,
            need: budget.snapshot.map_or(units, |snapshot| asks(units, snapshot)),
            have: budget.snapshot.map_or(0, |snapshot| snapshot.left.into()),
        })
    }
}

impl fmt::Debug for Judged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judged")
            .field("policy", &self.policy.name)
            .field("plan", &self.plan())
            .field("budgets", &self.budgets)
            .finish_non_exhaustive()
    }
}
