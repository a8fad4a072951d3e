//! What const evaluation holds of a policy that it has judged: planned once, for all nodes and findings.

use super::findings::find;
use super::table::{Entry, Table};
use super::view::View;
use super::{Plan, message, plain};
use crate::amount::NONE;
use crate::lint::Lint;
use crate::tree::Policy;

/// The plan of a policy of up to `N` nodes, and what is found at each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement<'a, const N: usize> {
    plan: Plan<'a>,
    /// At each node a bit for each lint that isn't allowed in all of the policy ([`Lint::bit`]).
    found: [u64; N],
}

impl<'a, const N: usize> Judgement<'a, N> {
    /// Judges a policy.
    ///
    /// # Panics
    ///
    /// For a policy of more than `N` nodes.
    #[must_use]
    pub const fn of(policy: &Policy<'a>) -> Self {
        match Self::of_plain(policy) {
            Some(judgement) => judgement,
            None => Self::of_any(policy),
        }
    }

    /// The same of a plain policy that works.
    pub(super) const fn of_plain(policy: &Policy<'a>) -> Option<Self> {
        let Some((plan, all)) = plain::judge(policy) else {
            return None;
        };
        let mut found = [0; N];
        found[0] = all.root;
        found[all.at] |= all.retry;
        Some(Self { plan, found })
    }

    pub(super) const fn of_any(policy: &Policy<'a>) -> Self {
        let view = View::of(policy.nodes);
        let mut entries = [Entry::EMPTY; N];
        let table = Table::fill(view, NONE, &mut entries);
        let mut found = [0; N];
        let heard = heard(policy);
        let mut node = 0;
        while node < policy.nodes.len() {
            let mut i = 0;
            while i < Lint::ALL.len() {
                let lint = Lint::ALL[i];
                if heard & lint.bit() != 0 && find(&table, lint, node).is_some() {
                    found[node] |= lint.bit();
                }
                i += 1;
            }
            node += 1;
        }
        Self {
            plan: Plan::of_row(policy, &view, NONE, table.row(0)),
            found,
        }
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> Plan<'a> {
        self.plan
    }

    /// Whether the policy has that finding at that node, whatever its level there. What is allowed in all of the policy isn't
    /// looked for.
    #[must_use]
    pub const fn has(&self, lint: Lint, node: usize) -> bool {
        self.found[node] & lint.bit() != 0
    }

    /// Whether the policy has that finding at that node or inside it, as [`has`](Self::has) tells it.
    #[must_use]
    pub const fn has_inside(&self, policy: &Policy<'_>, lint: Lint, node: usize) -> bool {
        let mut inside = node;
        while inside < node + policy.nodes[node].size {
            if self.has(lint, inside) {
                return true;
            }
            inside += 1;
        }
        false
    }

    /// Refuses the policy if a finding at that node is denied.
    ///
    /// # Panics
    ///
    /// With what is said of the first denied finding.
    #[track_caller]
    pub const fn check(&self, policy: &Policy<'_>, node: usize) {
        let denied = self.found[node] & policy.nodes[node].levels.denied();
        if denied != 0 {
            refuse::<N>(policy, node, denied);
        }
    }
}

/// Refuses a policy of up to `N` nodes for the first of these findings at a node. It stands apart since const evaluation
/// prepares all that a function might need wherever it is called.
#[track_caller]
const fn refuse<const N: usize>(policy: &Policy<'_>, node: usize, denied: u64) {
    let mut i = 0;
    while i < Lint::ALL.len() {
        if denied & Lint::ALL[i].bit() != 0 {
            let mut entries = [Entry::EMPTY; N];
            let table = Table::fill(View::of(policy.nodes), NONE, &mut entries);
            if let Some(found) = find(&table, Lint::ALL[i], node) {
                let text = message::message(policy.name, &table, &mut [Entry::EMPTY; N], found);
                panic!("{}", text.as_str());
            }
        }
        i += 1;
    }
}

/// The lints that aren't allowed in all of a policy, a bit each.
pub(super) const fn heard(policy: &Policy<'_>) -> u64 {
    let (mut heard, mut node) = (0, 0);
    while node < policy.nodes.len() {
        heard |= policy.nodes[node].levels.heard();
        node += 1;
    }
    heard
}
