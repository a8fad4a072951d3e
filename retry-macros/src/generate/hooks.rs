//! What a policy's hooks are written as.

use proc_macro2::TokenStream;
use retry_syntax::ast::{Attempts, BackoffKind, JitterKind, Node, NodeKind, Value};

/// Whether a hook is an async closure, whose future is awaited.
pub(super) fn is_async(hook: &TokenStream) -> bool {
    hook.clone()
        .into_iter()
        .next()
        .is_some_and(|token| token.to_string() == "async")
}

/// Whether a value of the tree is an expression, which may name what no item inside a function can.
pub(super) fn has_expressions(root: &Node) -> bool {
    fn open<T>(value: &Value<T>) -> bool {
        matches!(value, Value::Expr(_))
    }
    root.preorder().into_iter().any(|node| match &node.kind {
        NodeKind::Attempt(attempt) => {
            attempt.bound.iter().any(open)
                || attempt.idempotent.iter().any(open)
                || attempt
                    .takes
                    .iter()
                    .any(|takes| takes.min.iter().any(open) || takes.max.iter().any(open))
        }
        NodeKind::Call(_) => true,
        NodeKind::Timeout(limit) | NodeKind::Deadline(limit) => open(&limit.limit),
        NodeKind::Hedge(hedge) => open(&hedge.after) || open(&hedge.copies),
        NodeKind::Allowance(allowance) => open(&allowance.limit),
        NodeKind::Retry(retry) => {
            let attempts = match &retry.attempts {
                Attempts::Exactly(count) | Attempts::UpTo(count) => open(count),
                Attempts::Unlimited(_) => false,
            };
            let backoff = retry.backoff.iter().any(|backoff| match &backoff.kind {
                BackoffKind::None => false,
                BackoffKind::Fixed(wait) => open(wait),
                BackoffKind::Linear { base, max } | BackoffKind::Decorrelated { base, max } => {
                    open(base) || max.iter().any(open)
                }
                BackoffKind::Exponential { base, factor, max } => {
                    open(base) || factor.iter().any(open) || max.iter().any(open)
                }
                BackoffKind::Schedule { waits, .. } => waits.iter().any(open),
                BackoffKind::Expr(_) => true,
            });
            let jitter = retry.jitter.iter().any(|jitter| match &jitter.kind {
                JitterKind::Spread(share) => open(share),
                JitterKind::Expr(_) => true,
                _ => false,
            });
            attempts || backoff || jitter || retry.retry_after_max.iter().any(open)
        }
        NodeKind::Series(_) | NodeKind::Parallel(_) | NodeKind::Fallback(_) | NodeKind::Race(_) => false,
    })
}
