//! A tree as a policy that runs, and what the planner says of it.

use std::sync::LazyLock;
use std::time::Duration;

use retry_plan::Budget;
use retry_plan::dynamic::{DynPolicy, Loader, Several};
use retry_plan::planner::plan::Judged;
use retry_plan::planner::{Attempts, Callee, Charge, Kind, Level, Levels, Lint, Node, Policy, Range};

use crate::convert;
use crate::execute::{Running, Watched};
use crate::script::Oops;
use crate::tree::{self, Tree};

/// Names for branches and steps: one each, so that a leaf's name says which it is.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| (1..=100).map(|n| format!("n{n}")).collect());

/// What the planner says, times in nanoseconds; `None` is unbounded.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    pub(crate) best: u128,
    pub(crate) worst: Option<u128>,
    pub(crate) work: Option<u128>,
    pub(crate) calls: Option<u64>,
    /// Of each leaf, in order.
    pub(crate) leaf_calls: Vec<Option<u64>>,
    /// Of each of the keys K and J.
    pub(crate) charges: [u64; 2],
    /// Whether rule 28 claims that worst, calls and charges are reached.
    pub(crate) exact: bool,
    /// Whether it claims that of best, too.
    pub(crate) exact_best: bool,
}

/// An operation of a policy.
pub(crate) struct Leaf {
    pub(crate) name: &'static str,
    /// The fastest success, in milliseconds.
    pub(crate) least: u64,
    /// The latest end by its declaration; `None` where it may hang.
    pub(crate) most: Option<u64>,
    /// Its own bound.
    pub(crate) bound: Option<u64>,
    /// The greatest hint that the nearest retry around honours.
    pub(crate) hint: Option<u64>,
    /// The policy that it runs, where it is a call.
    pub(crate) callee: Option<Box<Case>>,
}

/// A policy, its operations and its figures.
pub(crate) struct Case {
    pub(crate) nodes: Vec<Node<'static>>,
    pub(crate) policy: DynPolicy<bool, Oops, Several>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) figures: Figures,
    /// The same policy as the macro compiled it, where it did.
    pub(crate) compiled: Option<Compiled>,
}

/// Runs what the macro made of a policy.
pub(crate) type Compiled = for<'w> fn(&'w Watched<'w>) -> Running<'w>;

/// The budgets of one thread's runs: K and J, which refuse nothing, and the same ones empty.
pub(crate) struct Budgets {
    pub(crate) open: [Budget; 2],
    pub(crate) shut: [Budget; 2],
}

impl Budgets {
    #[expect(
        clippy::declare_interior_mutable_const,
        reason = "it is what statics begin with"
    )]
    pub(crate) const NEW: Self = Self {
        open: [Budget::unlimited(), Budget::unlimited()],
        shut: [Budget::ratio(0.0, 0), Budget::ratio(0.0, 0)],
    };
}

/// How a tree is loaded.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) budgets: &'static Budgets,
    /// Whether every budget refuses.
    pub(crate) shut: bool,
}

impl Case {
    /// Runs and plans the same tree.
    pub(crate) fn of(tree: &Tree, how: How) -> Self {
        Self::altered(tree, how, |_| {})
    }

    /// Plans the tree, and runs what `alter` makes of it: a runtime at fault.
    pub(crate) fn altered(tree: &Tree, how: How, alter: impl Fn(&mut Node<'static>)) -> Self {
        let callees = callees(tree, how);
        let mut nodes = convert::nodes(tree, &|callee| convert::seen(&Case::of(callee, how).nodes));
        prepare(&mut nodes);
        let figures = Figures::of(&nodes);
        let mut run = nodes.clone();
        run.iter_mut().for_each(alter);
        Self::built(nodes, &run, figures, callees, how)
    }

    /// A policy from elsewhere; what it calls are operations that take what its plan says.
    pub(crate) fn of_nodes(mut nodes: Vec<Node<'static>>, how: How) -> Self {
        prepare(&mut nodes);
        let (figures, run) = (Figures::of(&nodes), nodes.clone());
        Self::built(nodes, &run, figures, Vec::new(), how)
    }

    /// A policy that was loaded from elsewhere, and the policies that it calls.
    pub(crate) fn loaded(
        nodes: Vec<Node<'static>>,
        policy: DynPolicy<bool, Oops, Several>,
        callees: Vec<Self>,
        compiled: Option<Compiled>,
    ) -> Self {
        Self {
            figures: Figures::of(&nodes),
            leaves: leaves(&nodes, callees, policy.name()),
            nodes,
            policy,
            compiled,
        }
    }

    fn built(
        nodes: Vec<Node<'static>>,
        run: &[Node<'static>],
        figures: Figures,
        callees: Vec<Case>,
        how: How,
    ) -> Self {
        let [k, j] = if how.shut {
            &how.budgets.shut
        } else {
            &how.budgets.open
        };
        let policy = Loader::new()
            .any_leaves()
            .budget("K", k)
            .budget("J", j)
            .when("_", Oops::again)
            .until("_", |there: &bool| *there)
            .retry_after("_", Oops::hint)
            .tree(&Policy {
                name: "policy",
                nodes: run,
            })
            .unwrap_or_else(|refused| panic!("{refused}"));
        let leaves = leaves(&nodes, callees, "policy");
        Self {
            nodes,
            policy,
            leaves,
            figures,
            compiled: None,
        }
    }

    pub(crate) fn text(&self) -> String {
        text_of(&self.nodes)
    }
}

/// A tree as policy text, without its levels.
pub(crate) fn text_of(nodes: &[Node<'_>]) -> String {
    let nodes: Vec<Node<'_>> = nodes
        .iter()
        .map(|node| Node {
            levels: Levels::DEFAULT,
            ..*node
        })
        .collect();
    retry_syntax::text::print(&Policy {
        name: "Tree",
        nodes: &nodes,
    })
}

/// A tree as it is run; what it calls is named for it.
pub(crate) fn prepared(tree: &Tree, name: &str) -> Vec<Node<'static>> {
    let mut nodes = convert::nodes(tree, &|callee| convert::seen(&prepared(callee, name)));
    prepare(&mut nodes);
    let calls = nodes.iter_mut().filter_map(|node| match &mut node.kind {
        Kind::Call(callee) => Some(callee),
        _ => None,
    });
    for (n, callee) in calls.enumerate() {
        callee.name = callee_name(name, n).leak();
    }
    nodes
}

/// A tree that a text was read as, with the names that [`prepared`] gives.
pub(crate) fn named(mut nodes: Vec<Node<'static>>) -> Vec<Node<'static>> {
    prepare(&mut nodes);
    nodes
}

/// What the policies are called that a policy calls, in their order; in capitals they would be constants to the macro.
pub(crate) fn callee_name(name: &str, n: usize) -> String {
    format!("{name}c{n}")
}

/// What a tree calls, in order.
pub(crate) fn called(tree: &Tree) -> Vec<&Tree> {
    if tree.kind == tree::Kind::Call {
        return vec![&tree.kids[0]];
    }
    tree.kids.iter().flat_map(called).collect()
}

/// The names that the leaves go by.
pub(crate) fn leaf_names(nodes: &[Node<'static>]) -> Vec<&'static str> {
    leaves(nodes, Vec::new(), "policy")
        .iter()
        .map(|leaf| leaf.name)
        .collect()
}

fn callees(tree: &Tree, how: How) -> Vec<Case> {
    called(tree)
        .into_iter()
        .map(|callee| Case::of(callee, how))
        .collect()
}

/// Names for all children of compositions; nothing is refused, whatever is found; a repeat costs one unit.
fn prepare(nodes: &mut [Node<'static>]) {
    let allowed = Lint::ALL
        .into_iter()
        .fold(Levels::DEFAULT, |levels, lint| levels.with(lint, Level::Allow));
    let unit = |charge: Option<Charge<'static>>| charge.map(|charge| Charge { cost: 1, ..charge });
    let mut names = NAMES.iter();
    for at in 0..nodes.len() {
        nodes[at].levels = allowed;
        match &mut nodes[at].kind {
            Kind::Retry(retry) => retry.budget = unit(retry.budget),
            Kind::Hedge(hedge) => hedge.budget = unit(hedge.budget),
            // The grammar has no declaration of nothing.
            Kind::Attempt(attempt) => {
                if let Some(max) = attempt.takes.as_mut().and_then(|takes| takes.max.as_mut()) {
                    *max = Range::exact(max.hi.max(Duration::from_millis(1)));
                }
            }
            _ => {}
        }
        if matches!(
            nodes[at].kind,
            Kind::Series | Kind::Parallel | Kind::Fallback | Kind::Race
        ) {
            let mut child = at + 1;
            while child < at + nodes[at].size {
                nodes[child].name = names.next().expect("enough names");
                child += nodes[child].size;
            }
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("short")
}

/// The leaves in order; each goes by its own name, or that of the closest node around it.
fn leaves(nodes: &[Node<'static>], callees: Vec<Case>, own: &'static str) -> Vec<Leaf> {
    let mut callees = callees.into_iter();
    let around = |at: usize| (0..at).rev().filter(move |node| node + nodes[*node].size > at);
    let mut found = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let named = std::iter::once(at).chain(around(at)).map(|node| nodes[node].name);
        let name = named.into_iter().find(|name| !name.is_empty());
        let hint = around(at).find_map(|node| match nodes[node].kind {
            Kind::Retry(retry) => retry.hint,
            _ => None,
        });
        let hint = hint.and_then(|hint| hint.max).map(|max| millis(max.hi));
        match node.kind {
            Kind::Attempt(attempt) => found.push(Leaf {
                name: name.unwrap_or(own),
                least: attempt.takes.map_or(0, |takes| millis(takes.min.lo)),
                most: attempt
                    .takes
                    .and_then(|takes| takes.max)
                    .map(|max| millis(max.hi)),
                bound: attempt.bound.map(|bound| millis(bound.hi)),
                hint,
                callee: None,
            }),
            Kind::Call(callee) => found.push(Leaf {
                name: name.unwrap_or(callee.name),
                least: millis(callee.best),
                most: callee.worst.map(millis),
                bound: None,
                hint,
                callee: callees.next().map(Box::new),
            }),
            _ => {}
        }
    }
    found
}

impl Figures {
    pub(crate) fn of(nodes: &[Node<'static>]) -> Self {
        let policy = Policy {
            name: "policy",
            nodes,
        };
        let judged = Judged::of(&policy);
        let plan = judged.plan();
        let charged = |key| {
            let own = plan.charges().iter().find(|charge| charge.key == key);
            own.map_or(0, |charge| charge.cost.into())
        };
        let has = |lints: &[Lint]| lints.iter().any(|lint| judged.has_inside(*lint, 0));
        let each: Vec<Node<'_>> = nodes.iter().map(one_call).collect();
        let limits = [
            Lint::Impossible,
            Lint::Unreachable,
            Lint::NeverFires,
            Lint::CannotFit,
        ];
        let exact = !has(&limits) && !has(&[Lint::RetryBudgetExceeded]) && claims_equality(nodes);
        let lower_only = nodes.iter().any(|node| match node.kind {
            Kind::Retry(retry) => retry.stop_on_timeout,
            Kind::Allowance(_) => true,
            _ => false,
        });
        Self {
            best: plan.best().as_nanos(),
            worst: plan.worst().map(|worst| worst.as_nanos()),
            work: plan.work().map(|work| work.as_nanos()),
            calls: plan.calls(),
            leaf_calls: Judged::of(&Policy {
                name: "policy",
                nodes: &each,
            })
            .leaves()
            .map(|(_, calls)| calls)
            .collect(),
            charges: [charged("K"), charged("J")],
            exact,
            exact_best: exact && !lower_only,
        }
    }
}

/// A call counts as one of its leaf, however many its callee makes.
fn one_call<'a>(node: &Node<'a>) -> Node<'a> {
    match node.kind {
        Kind::Call(callee) => Node {
            kind: Kind::Call(Callee {
                calls: Some(1),
                leaf_calls: Some(1),
                ..callee
            }),
            ..*node
        },
        _ => *node,
    }
}

/// Rule 28, findings aside: no attempt without an end, no attempts without a count, no open count that a limit cuts, and no
/// two limits of one length, each of
/// which hides the other.
fn claims_equality(nodes: &[Node<'_>]) -> bool {
    let limit = |node: &Node<'_>| match node.kind {
        Kind::Timeout(limit) | Kind::Deadline(limit) => Some(limit),
        _ => None,
    };
    let endless = nodes.iter().any(|node| match node.kind {
        Kind::Retry(retry) => matches!(retry.attempts, Attempts::Unlimited),
        Kind::Attempt(attempt) => {
            attempt.bound.is_none() && attempt.takes.is_none_or(|takes| takes.max.is_none())
        }
        Kind::Call(callee) => callee.worst.is_none(),
        _ => false,
    });
    let open = nodes.iter().any(|node| match node.kind {
        Kind::Retry(retry) => !matches!(retry.attempts, Attempts::Exactly(_)),
        _ => false,
    });
    let twice = nodes.iter().enumerate().any(|(at, node)| {
        let inside = &nodes[at + 1..at + node.size];
        limit(node).is_some() && inside.iter().any(|inner| limit(inner) == limit(node))
    });
    let limited = nodes.iter().any(|node| limit(node).is_some());
    !(endless || twice || open && limited)
}
