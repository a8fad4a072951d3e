//! Trees from texts, for as long as the process runs.

use retry_plan::planner::{Allowance, Backoff, Callee, Charge, Hedge, Kind, Node, Policy, Retry};

/// A tree for as long as the test runs, its budgets called K and J; `None` where it has more than two.
pub(crate) fn kept(policy: &Policy<'_>) -> Option<Vec<Node<'static>>> {
    let mut keys: Vec<&str> = Vec::new();
    let mut key = |name: &str| {
        let at = keys.iter().position(|own| *own == name).unwrap_or_else(|| {
            keys.push(name.to_owned().leak());
            keys.len() - 1
        });
        ["K", "J"].get(at).copied()
    };
    let mut charge = |budget: Option<Charge<'_>>| match budget {
        None => Some(None),
        Some(budget) => key(budget.key).map(|key| {
            Some(Charge {
                key,
                cost: budget.cost,
            })
        }),
    };
    let node = |node: &Node<'_>| {
        let kind = match node.kind {
            Kind::Retry(retry) => Kind::Retry(Retry {
                attempts: retry.attempts,
                backoff: match retry.backoff {
                    Backoff::None => Backoff::None,
                    Backoff::Fixed(wait) => Backoff::Fixed(wait),
                    Backoff::Linear { base, max } => Backoff::Linear { base, max },
                    Backoff::Exponential { base, factor, max } => Backoff::Exponential { base, factor, max },
                    Backoff::Decorrelated { base, max } => Backoff::Decorrelated { base, max },
                    Backoff::Schedule { waits, repeat_last } => Backoff::Schedule {
                        waits: waits.to_vec().leak(),
                        repeat_last,
                    },
                },
                jitter: retry.jitter,
                budget: charge(retry.budget)?,
                when: retry.when,
                until: retry.until,
                stop_on_timeout: retry.stop_on_timeout,
                hint: retry.hint,
            }),
            Kind::Hedge(hedge) => Kind::Hedge(Hedge {
                after: hedge.after,
                copies: hedge.copies,
                budget: charge(hedge.budget)?,
            }),
            Kind::Allowance(allowance) => Kind::Allowance(Allowance {
                key: charge(Some(Charge {
                    key: allowance.key,
                    cost: 1,
                }))??
                .key,
                limit: allowance.limit,
            }),
            // An operation that takes what the plan says, and charges its own budgets.
            Kind::Call(callee) => Kind::Call(Callee {
                name: callee.name.to_owned().leak(),
                best: callee.best,
                fastest_failure: callee.fastest_failure,
                worst: callee.worst,
                work: callee.worst,
                calls: Some(1),
                leaf_calls: callee.leaf_calls,
                unpaid: callee.unpaid,
                repeaters: &[],
                unsafe_to_repeat: callee.unsafe_to_repeat,
                charges: &[],
            }),
            Kind::Attempt(attempt) => Kind::Attempt(attempt),
            Kind::Timeout(limit) => Kind::Timeout(limit),
            Kind::Deadline(limit) => Kind::Deadline(limit),
            Kind::Series => Kind::Series,
            Kind::Parallel => Kind::Parallel,
            Kind::Fallback => Kind::Fallback,
            Kind::Race => Kind::Race,
        };
        Some(Node {
            name: "",
            size: node.size,
            levels: node.levels,
            kind,
        })
    };
    policy.nodes.iter().map(node).collect()
}
