//! What is judged: the planner's figures and findings of one of the model's trees.

use retry_planner::plan::{Judged, Plan};
use retry_planner::{Callee, Lint, Policy};

use super::convert;
use super::facts::Fact;
use super::tree::{Key, Tree};

/// The findings that the model has facts about.
const JUDGED: [Lint; 6] = [
    Lint::Impossible,
    Lint::Unreachable,
    Lint::NeverFires,
    Lint::CannotFit,
    Lint::RetryBudgetExceeded,
    Lint::Unbounded,
];

/// The planner's answer, times in nanoseconds; `None` is unbounded.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) worst: Option<u128>,
    pub(crate) best: u128,
    pub(crate) work: Option<u128>,
    pub(crate) calls: Option<u128>,
    /// The calls of each leaf, in the order of the text.
    pub(crate) leaves: Vec<Option<u128>>,
    /// The units charged to each key.
    pub(crate) charges: [Option<u128>; Key::ALL.len()],
    /// Sorted.
    pub(crate) findings: Vec<Fact>,
}

impl Told {
    pub(crate) fn has(&self, lint: Lint) -> bool {
        self.findings.iter().any(|fact| fact.lint == lint)
    }
}

/// A callee's tree planned by itself. Callees of the model pay into no budget.
fn callee(tree: &Tree) -> Callee<'static> {
    let nodes = convert::nodes(tree, &callee);
    let Callee {
        best,
        fastest_failure,
        worst,
        work,
        calls,
        leaf_calls,
        unpaid,
        unsafe_to_repeat,
        ..
    } = Plan::of(&Policy {
        name: "callee",
        nodes: &nodes,
    })
    .callee();
    Callee {
        name: "callee",
        best,
        fastest_failure,
        worst,
        work,
        calls,
        leaf_calls,
        unpaid,
        repeaters: &[],
        unsafe_to_repeat,
        charges: &[],
    }
}

pub(crate) fn told(tree: &Tree) -> Told {
    let nodes = convert::nodes(tree, &callee);
    let policy = Policy {
        name: "policy",
        nodes: &nodes,
    };
    let judged = Judged::of(&policy);
    let plan = judged.plan();
    let mut findings: Vec<Fact> = judged
        .findings()
        .filter(|found| JUDGED.contains(&found.lint))
        .map(|found| Fact {
            lint: found.lint,
            node: found.node,
        })
        .collect();
    findings.sort_unstable();
    let charged = |key: Key| {
        let budget = judged
            .budgets()
            .iter()
            .find(|budget| budget.demand.key == key.name());
        budget.map_or(Some(0), |budget| budget.demand.units.map(u128::from))
    };
    Told {
        worst: plan.worst().map(|worst| worst.as_nanos()),
        best: plan.best().as_nanos(),
        work: plan.work().map(|work| work.as_nanos()),
        calls: plan.calls().map(u128::from),
        leaves: judged.leaves().map(|(_, calls)| calls.map(u128::from)).collect(),
        charges: Key::ALL.map(charged),
        findings,
    }
}
