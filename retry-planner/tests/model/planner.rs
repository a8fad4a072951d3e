//! What is judged: the planner's figures and findings of one of the model's trees.

use std::time::Duration;

use retry_planner::plan::{self, Judged, Judgement, Plan};
use retry_planner::{Callee, Level, Lint, Policy};

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
    convert::seen(&nodes)
}

fn with<T>(tree: &Tree, ask: impl FnOnce(&Policy<'_>) -> T) -> T {
    let nodes = convert::nodes(tree, &callee);
    ask(&Policy {
        name: "policy",
        nodes: &nodes,
    })
}

pub(crate) fn told(tree: &Tree) -> Told {
    with(tree, |policy| of(&Judged::of(policy)))
}

/// The answer to a caller that has so many milliseconds left.
pub(crate) fn within(tree: &Tree, ms: u64) -> Told {
    with(tree, |policy| {
        let judged = Judged::within(policy, Duration::from_millis(ms));
        assert_eq!(judged.plan(), policy.plan_within(Duration::from_millis(ms)));
        of(&judged)
    })
}

/// What is planned for one node, as constants do, is what is planned for all of them at once.
pub(crate) fn agrees_with_itself(tree: &Tree) {
    with(tree, |policy| {
        let judged = Judged::of(policy);
        let plan = Plan::of(policy);
        assert_eq!(judged.plan(), plan);
        let judgement = Judgement::<64>::of(policy);
        assert_eq!(judgement.plan(), plan);
        let root = judged.node(0);
        assert_eq!(
            (root.worst, root.calls, root.best),
            (plan.worst(), plan.calls(), plan.best())
        );
        let mut sum = Some(0_u64);
        for (leaf, calls) in judged.leaves() {
            assert_eq!(plan::leaf_calls(policy, leaf), calls);
            sum = sum.zip(calls).map(|(sum, calls)| sum.saturating_add(calls));
        }
        assert_eq!(sum, plan.calls(), "{tree}");
        for node in 0..policy.nodes.len() {
            for lint in Lint::ALL {
                let found = judged.has(lint, node);
                let heard = policy
                    .nodes
                    .iter()
                    .any(|node| node.levels.get(lint) != Level::Allow);
                assert_eq!(
                    (plan::has(policy, lint, node), judgement.has(lint, node)),
                    (found, found && heard),
                    "{lint:?} at {node} of {tree}"
                );
            }
        }
        for budget in judged.budgets() {
            assert_eq!(plan::demand_of(policy, budget.demand.key), budget.demand);
        }
    });
}

fn of(judged: &Judged<'_>) -> Told {
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
