//! The model's trees as the planner takes them.

use std::time::Duration;

use retry_planner::{
    Allowance, Attempt, Attempts, Backoff, Callee, Charge, Count, Factor, Hedge, Hint, Jitter, Kind, Levels,
    Node, Plan, Policy, Range, Retry, Takes,
};

use super::tree;
use super::tree::Tree;

fn ms(ms: u8) -> Range {
    Range::exact(Duration::from_millis(ms.into()))
}

fn charge(charge: tree::Charge) -> Charge<'static> {
    Charge {
        key: charge.key.name(),
        cost: charge.cost.into(),
    }
}

/// The nodes in preorder; `callee` plans what a `call` runs.
pub(crate) fn nodes(tree: &Tree, callee: &dyn Fn(&Tree) -> Callee<'static>) -> Vec<Node<'static>> {
    let mut nodes = Vec::new();
    push(tree, callee, &mut nodes);
    nodes
}

fn push(tree: &Tree, callee: &dyn Fn(&Tree) -> Callee<'static>, nodes: &mut Vec<Node<'static>>) {
    let at = nodes.len();
    let kind = match &tree.kind {
        tree::Kind::Attempt(attempt) => Kind::Attempt(Attempt {
            bound: attempt.bound.map(ms),
            takes: attempt.takes.map(|(min, max)| Takes {
                min: ms(min),
                max: max.map(ms),
            }),
            idempotent: true,
            key: false,
        }),
        tree::Kind::Timeout(d) => Kind::Timeout(ms(*d)),
        tree::Kind::Deadline(d) => Kind::Deadline(ms(*d)),
        tree::Kind::Retry(retry) => Kind::Retry(Retry {
            attempts: match retry.attempts {
                tree::Attempts::Exactly(n) => Attempts::Exactly(Count::exact(n.into())),
                tree::Attempts::UpTo(n) => Attempts::UpTo(Count::exact(n.into())),
                tree::Attempts::Unlimited => Attempts::Unlimited,
            },
            backoff: backoff(retry.backoff),
            jitter: match retry.backoff {
                tree::Backoff::None | tree::Backoff::Decorrelated(..) => None,
                _ => Some(jitter(retry.jitter)),
            },
            budget: retry.budget.map(charge),
            when: retry.when,
            until: retry.until,
            stop_on_timeout: retry.stop_on_timeout,
            hint: retry.hint.map(|max| Hint { max: max.map(ms) }),
        }),
        tree::Kind::Hedge {
            after,
            copies,
            budget,
        } => Kind::Hedge(Hedge {
            after: ms(*after),
            copies: Count::exact((*copies).into()),
            budget: budget.map(charge),
        }),
        tree::Kind::Series => Kind::Series,
        tree::Kind::Parallel => Kind::Parallel,
        tree::Kind::Fallback => Kind::Fallback,
        tree::Kind::Race => Kind::Race,
        tree::Kind::Call => Kind::Call(callee(&tree.kids[0])),
        tree::Kind::Allowance { key, limit } => Kind::Allowance(Allowance {
            key: key.name(),
            limit: Count::exact((*limit).into()),
        }),
    };
    nodes.push(Node {
        name: "",
        size: 1,
        levels: Levels::DEFAULT,
        kind,
    });
    if tree.kind != tree::Kind::Call {
        for kid in &tree.kids {
            push(kid, callee, nodes);
        }
    }
    nodes[at].size = nodes.len() - at;
}

fn backoff(backoff: tree::Backoff) -> Backoff<'static> {
    match backoff {
        tree::Backoff::None => Backoff::None,
        tree::Backoff::Fixed(wait) => Backoff::Fixed(ms(wait)),
        tree::Backoff::Linear(base, max) => Backoff::Linear {
            base: ms(base),
            max: max.map(ms),
        },
        tree::Backoff::Exponential(base, factor, max) => Backoff::Exponential {
            base: ms(base),
            factor: Factor::whole(factor.into()),
            max: max.map(ms),
        },
        tree::Backoff::Decorrelated(base, max) => Backoff::Decorrelated {
            base: ms(base),
            max: max.map(ms),
        },
        tree::Backoff::Schedule(waits, repeat_last) => Backoff::Schedule {
            waits: Box::leak(waits.iter().map(|&wait| ms(wait)).collect()),
            repeat_last,
        },
    }
}

fn jitter(jitter: tree::Jitter) -> Jitter {
    match jitter {
        tree::Jitter::None => Jitter::None,
        tree::Jitter::Full => Jitter::Full,
        tree::Jitter::Equal => Jitter::Equal,
        tree::Jitter::Spread(tenths) => Jitter::Spread(Factor {
            digits: tenths.into(),
            scale: 1,
        }),
    }
}

/// What a caller sees of a policy that is planned by itself. Callees of the model pay into no budget.
pub(crate) fn seen(nodes: &[Node<'_>]) -> Callee<'static> {
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
        nodes,
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
