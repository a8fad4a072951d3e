//! From what was written to the planner's tree: as data, for planning right away, and as tokens, for planning in const
//! evaluation.
//!
//! Both walk the same nodes in the same order, so that a node's index is the same in text, data and generated code.

mod owned;
mod plan;
mod tokens;

use retry_planner::{Levels, Node as Planned};

use crate::ast::{LevelAttr, Node};

pub use owned::{OwnedCallee, OwnedNode, OwnedPolicy, Unknown, lower};
pub use plan::plan_tokens;
pub use tokens::{callee_tokens, is_constant, policy_tokens, retry_tokens};

/// What stands where no backoff is written.
pub(crate) const DEFAULT_BASE_MS: u64 = 100;
/// The cap of the backoff that isn't written.
pub(crate) const DEFAULT_MAX_S: u64 = 10;

/// The levels in force at each node, by index: those of the policy, of the nodes around it, and its own.
#[must_use]
pub fn levels(policy: &[LevelAttr], root: &Node) -> Vec<Levels> {
    let mut found = vec![Levels::DEFAULT; root.size];
    let mut open = vec![(root, with(Levels::DEFAULT, policy))];
    while let Some((node, around)) = open.pop() {
        let own = with(around, &node.levels);
        if let Some(slot) = found.get_mut(node.index) {
            *slot = own;
        }
        open.extend(node.kind.children().iter().map(|child| (child, own)));
    }
    found
}

fn with(levels: Levels, attrs: &[LevelAttr]) -> Levels {
    attrs
        .iter()
        .fold(levels, |levels, attr| levels.with(attr.lint, attr.level))
}

/// Whether everything in a planner's tree is known exactly.
#[must_use]
pub fn is_exact(nodes: &[Planned<'_>]) -> bool {
    use retry_planner::{Attempts, Backoff, Count, Kind, Range};
    let range = |range: &Range| range.lo == range.hi;
    let count = |count: &Count| count.lo == count.hi;
    nodes.iter().all(|node| match &node.kind {
        Kind::Timeout(limit) | Kind::Deadline(limit) => range(limit),
        Kind::Attempt(attempt) => {
            attempt.bound.iter().all(range)
                && attempt
                    .takes
                    .iter()
                    .all(|takes| range(&takes.min) && takes.max.iter().all(range))
        }
        Kind::Hedge(hedge) => range(&hedge.after) && count(&hedge.copies),
        Kind::Allowance(allowance) => count(&allowance.limit),
        Kind::Retry(retry) => {
            (match &retry.attempts {
                Attempts::Exactly(n) | Attempts::UpTo(n) => count(n),
                Attempts::Unlimited => true,
            }) && (match &retry.backoff {
                Backoff::None => true,
                Backoff::Fixed(wait) => range(wait),
                Backoff::Linear { base, max }
                | Backoff::Exponential { base, max, .. }
                | Backoff::Decorrelated { base, max } => range(base) && max.iter().all(range),
                Backoff::Schedule { waits, .. } => waits.iter().all(range),
            }) && retry.hint.iter().all(|hint| hint.max.iter().all(range))
        }
        _ => true,
    })
}
