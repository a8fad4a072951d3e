//! All that is said of a policy, under the names of its JSON.

use retry_planner::plan::{Judged, Standing};
use retry_planner::{Allowance, Count, Kind, Level, Lint, Node, Policy};
use retry_syntax::lower::OwnedPolicy;
use retry_syntax::text::{Expected, FilePolicy};
use serde::Serialize;

use super::timeline::{Piece, timeline};

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
    pub required: Option<u64>,
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
        let judged = Judged::of(policy);
        let plan = judged.plan();
        Planned {
            name: policy.name.to_owned(),
            best_ns: plan.best().as_nanos(),
            worst_ns: plan.worst().map(|worst| worst.as_nanos()),
            work_ns: plan.work().map(|work| work.as_nanos()),
            calls: plan.calls(),
            leaves: judged
                .leaves()
                .map(|(leaf, calls)| Leaf {
                    name: leaf_name(policy, leaf).to_owned(),
                    calls,
                })
                .collect(),
            budgets: budgets(policy, &judged),
            findings: findings(policy, &judged, places, expected),
            timeline: timeline(policy, &judged),
        }
    })
}

fn findings(
    policy: &Policy<'_>,
    judged: &Judged<'_>,
    places: &[(usize, usize)],
    expected: &[Expected],
) -> Vec<Finding> {
    let mut found = Vec::new();
    for one in judged.findings() {
        let (Some(level), Some(message)) = (told(one.level), judged.message(one.lint, one.node)) else {
            continue;
        };
        let message = message.as_str().to_owned();
        let (line, column) = places.get(one.node).copied().unwrap_or((1, 1));
        found.push(Finding {
            lint: one.lint.name(),
            level,
            line,
            column,
            fits: fits(&message),
            message,
        });
    }
    for expected in expected {
        let levels = policy.nodes[expected.node].levels;
        if let Some(level) = told(levels.get(Lint::UnfulfilledExpect))
            && !judged.has_inside(expected.lint, expected.node)
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

/// What one run asks of each budget if nothing refused it, and the least that an allowance of the policy grants.
fn budgets(policy: &Policy<'_>, judged: &Judged<'_>) -> Vec<Budget> {
    let generous: Vec<Node<'_>> = policy
        .nodes
        .iter()
        .map(|node| match node.kind {
            Kind::Allowance(allowance) => Node {
                kind: Kind::Allowance(Allowance {
                    limit: Count::exact(u32::MAX),
                    ..allowance
                }),
                ..*node
            },
            _ => *node,
        })
        .collect();
    let asked = Judged::of(&Policy {
        name: policy.name,
        nodes: &generous,
    });
    asked
        .budgets()
        .iter()
        .map(|asked| {
            let key = asked.demand.key;
            let allowances = policy
                .nodes
                .iter()
                .enumerate()
                .filter_map(|(node, of)| match of.kind {
                    Kind::Allowance(allowance) if allowance.key == key => Some((node, allowance.limit.lo)),
                    _ => None,
                });
            let limit = allowances.clone().map(|(_, limit)| limit).min();
            let mut exceeded = allowances.filter(|(node, _)| judged.has(Lint::RetryBudgetExceeded, *node));
            let standing = match limit {
                _ if exceeded.next().is_some() => Standing::Exceeded,
                Some(_) => Standing::Admissible,
                None => asked.standing,
            };
            Budget {
                key: key.to_owned(),
                required: asked.demand.units,
                limit,
                status: standing.word(),
            }
        })
        .collect()
}
