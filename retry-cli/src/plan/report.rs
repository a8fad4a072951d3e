//! All that is said of a policy, under the names of its JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use retry_planner::{Allowance, Callee, Count, Kind, Level, Levels, Lint, Node, Plan, Policy, plan};
use retry_syntax::lower::OwnedPolicy;
use retry_syntax::text::{Expected, FilePolicy};
use serde::Serialize;

use super::timeline::{PIECES, Piece, timeline};

/// All that is said of the policies of one text.
#[derive(Debug, Serialize)]
pub struct Report {
    /// In the order of the text.
    pub policies: Vec<Planned>,
}

/// All that is said of one policy.
#[derive(Debug, Serialize)]
pub struct Planned {
    /// The policy's name.
    pub name: String,
    /// The fastest success.
    pub best_ns: u128,
    /// The latest end; `None` where there is none.
    pub worst_ns: Option<u128>,
    /// The time that operations run in all; `None` where it has no bound.
    pub work_ns: Option<u128>,
    /// The most calls; `None` where there is no bound.
    pub calls: Option<u64>,
    /// Each operation.
    pub leaves: Vec<Leaf>,
    /// Each budget that repeats are charged to.
    pub budgets: Vec<Budget>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// The worst case.
    pub timeline: Vec<Piece>,
}

/// One operation.
#[derive(Debug, Serialize)]
pub struct Leaf {
    /// The innermost name on the way to it; the called policy's, or `attempt`, where there is none.
    pub name: String,
    /// The most calls of it; `None` where there is no bound.
    pub calls: Option<u64>,
}

/// A budget that repeats are charged to.
#[derive(Debug, Serialize)]
pub struct Budget {
    /// Its path.
    pub key: String,
    /// The most units that one run asks for; `None` where there is no bound.
    pub required: Option<u32>,
    /// What an allowance of the policy grants; `None` where it has none for this key.
    pub limit: Option<u32>,
    /// `admissible`, `exceeded`, or `unverified` where only the running program knows.
    pub status: &'static str,
}

/// What is wrong.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Its name.
    pub lint: &'static str,
    /// `deny` or `warn`.
    pub level: &'static str,
    /// Where it is, from 1.
    pub line: usize,
    /// Where it is, in characters from 1.
    pub column: usize,
    /// What is said.
    pub message: String,
    /// What would fit.
    pub fits: Vec<String>,
}
/// Plans one policy of a text.
#[must_use]
pub fn planned(file: &FilePolicy) -> Planned {
    plan_placed(&file.policy, &file.places, &file.expected)
}

/// Plans one policy, whose nodes stand at `places`.
#[must_use]
pub fn plan_placed(policy: &OwnedPolicy, places: &[(usize, usize)], expected: &[Expected]) -> Planned {
    policy.with(|policy| {
        let plan = Plan::of(policy);
        Planned {
            name: policy.name.to_owned(),
            best_ns: plan.best().as_nanos(),
            worst_ns: plan.worst().map(|worst| worst.as_nanos()),
            work_ns: plan.work().map(|work| work.as_nanos()),
            calls: plan.calls(),
            leaves: leaves(policy),
            budgets: budgets(policy),
            findings: findings(policy, places, expected),
            timeline: timeline(policy),
        }
    })
}

fn findings(policy: &Policy<'_>, places: &[(usize, usize)], expected: &[Expected]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, node) in policy.nodes.iter().enumerate() {
        for lint in Lint::ALL {
            let Some(level) = told(node.levels.get(lint)) else {
                continue;
            };
            let Some(message) = plan::message(policy, lint, index) else {
                continue;
            };
            let message = message.as_str().to_owned();
            let (line, column) = places.get(index).copied().unwrap_or((1, 1));
            found.push(Finding {
                lint: lint.name(),
                level,
                line,
                column,
                fits: fits(&message),
                message,
            });
        }
    }
    for expected in expected {
        let levels = policy.nodes[expected.node].levels;
        if let Some(level) = told(levels.get(Lint::UnfulfilledExpect))
            && !plan::has_inside(policy, expected.lint, expected.node)
        {
            found.push(Finding {
                lint: Lint::UnfulfilledExpect.name(),
                level,
                line: expected.line,
                column: expected.column,
                message: expected.message.clone(),
                fits: Vec::new(),
            });
        }
    }
    found
}

/// The word for a level at which a finding is told.
fn told(level: Level) -> Option<&'static str> {
    match level {
        Level::Deny => Some("deny"),
        Level::Warn => Some("warn"),
        Level::Allow | Level::Expect => None,
    }
}

/// What stands behind `fits with:` in a message.
fn fits(message: &str) -> Vec<String> {
    let line = message
        .lines()
        .find_map(|line| line.trim().strip_prefix("fits with: "));
    line.map_or_else(Vec::new, |line| line.split(", or ").map(str::to_owned).collect())
}

/// The most calls of each leaf: the policy planned again with every other leaf as a callee that calls nothing.
fn leaves(policy: &Policy<'_>) -> Vec<Leaf> {
    let is_leaf = |node: &Node<'_>| matches!(node.kind, Kind::Attempt(_) | Kind::Call(_));
    let mut leaves = Vec::new();
    for (index, _) in policy
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| is_leaf(node))
        .take(PIECES)
    {
        let nodes: Vec<Node<'_>> = policy
            .nodes
            .iter()
            .enumerate()
            .map(|(other, node)| {
                if other != index && is_leaf(node) {
                    silent(node)
                } else {
                    *node
                }
            })
            .collect();
        let alone = Policy {
            name: policy.name,
            nodes: &nodes,
        };
        leaves.push(Leaf {
            name: leaf_name(policy, index).to_owned(),
            calls: Plan::of(&alone).calls(),
        });
    }
    leaves
}

/// A leaf goes by the innermost name on the way to it.
fn leaf_name<'a>(policy: &Policy<'a>, leaf: usize) -> &'a str {
    let mut on_the_way = policy.nodes[..=leaf]
        .iter()
        .enumerate()
        .filter(|(index, node)| index + node.size > leaf && !node.name.is_empty());
    match (on_the_way.next_back(), policy.nodes[leaf].kind) {
        (Some((_, named)), _) => named.name,
        (None, Kind::Call(callee)) => callee.name,
        (None, _) => "attempt",
    }
}

fn silent<'a>(node: &Node<'a>) -> Node<'a> {
    let alone = [Node { size: 1, ..*node }];
    let plan = Plan::of(&Policy {
        name: "",
        nodes: &alone,
    });
    Node {
        kind: Kind::Call(Callee {
            name: "",
            best: plan.best(),
            fastest_failure: plan.fastest_failure(),
            worst: plan.worst(),
            work: Some(Duration::ZERO),
            calls: Some(0),
            leaf_calls: Some(0),
            unpaid: 0,
            repeaters: &[],
            unsafe_to_repeat: false,
            charges: &[],
        }),
        ..*node
    }
}

/// The demand on each budget: the least allowance around the whole policy that isn't exceeded.
fn budgets(policy: &Policy<'_>) -> Vec<Budget> {
    let mut limits: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    for node in policy.nodes {
        match node.kind {
            Kind::Retry(retry) => retry.budget.map(|charge| limits.entry(charge.key).or_default()),
            Kind::Hedge(hedge) => hedge.budget.map(|charge| limits.entry(charge.key).or_default()),
            Kind::Allowance(allowance) => {
                let limit = limits.entry(allowance.key).or_default();
                *limit = Some(limit.map_or(allowance.limit.lo, |limit| limit.min(allowance.limit.lo)));
                continue;
            }
            _ => continue,
        };
    }
    let exceeded = |key: &str, limit: u32| {
        let mut nodes = vec![Node {
            name: "",
            size: policy.nodes.len() + 1,
            levels: Levels::DEFAULT,
            kind: Kind::Allowance(Allowance {
                key,
                limit: Count::exact(limit),
            }),
        }];
        nodes.extend(
            policy
                .nodes
                .iter()
                .filter(|node| !matches!(node.kind, Kind::Allowance(_))),
        );
        // Inner allowances are taken out, and with them the nodes that they were counted in.
        let taken = |from: usize, size: usize| {
            let inside = policy.nodes[from..from + size].iter();
            inside
                .filter(|node| matches!(node.kind, Kind::Allowance(_)))
                .count()
        };
        let kept = policy
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| !matches!(node.kind, Kind::Allowance(_)));
        for (node, (index, original)) in nodes[1..].iter_mut().zip(kept) {
            node.size = original.size - taken(index, original.size);
        }
        nodes[0].size = nodes.len();
        let around = Policy {
            name: policy.name,
            nodes: &nodes,
        };
        plan::has(&around, Lint::RetryBudgetExceeded, 0)
    };
    limits
        .into_iter()
        .map(|(key, limit)| {
            let (mut low, mut high) = (0u32, u32::MAX);
            let required = if exceeded(key, u32::MAX) {
                None
            } else {
                while low < high {
                    let middle = low + (high - low) / 2;
                    if exceeded(key, middle) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                Some(low)
            };
            let refused = (0..policy.nodes.len()).any(|node| {
                matches!(policy.nodes[node].kind, Kind::Allowance(allowance) if allowance.key == key)
                    && plan::has(policy, Lint::RetryBudgetExceeded, node)
            });
            Budget {
                key: key.to_owned(),
                required,
                limit,
                status: match limit {
                    _ if refused => "exceeded",
                    Some(_) => "admissible",
                    None => "unverified",
                },
            }
        })
        .collect()
}
