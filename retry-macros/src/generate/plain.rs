//! A plain policy: at most one limit around a retry without hooks, and in it one attempt.
//!
//! Its loop stands in the runtime (`retry_runtime::plain`, which has to agree with [`is_plain`]), for code that is generated
//! costs the compiler time in each crate that uses it: a loop written out, several times of what the user's own function does.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use retry_syntax::ast::{Attempts, BackoffKind, Node, NodeKind, Retry};

use super::body::{limits, var};

/// Whether a policy is plain.
pub(super) fn is_plain(root: &Node) -> bool {
    let retry = match &root.kind {
        NodeKind::Timeout(limit) | NodeKind::Deadline(limit) => &limit.child,
        _ => root,
    };
    let NodeKind::Retry(figures) = &retry.kind else {
        return false;
    };
    let keyless = matches!(&figures.child.kind, NodeKind::Attempt(attempt) if attempt.key.is_none());
    keyless
        && tells_nobody(figures)
        && root.preorder().into_iter().any(limits)
        && root.preorder().into_iter().all(|node| node.name.is_none())
}

/// Whether only the retry's figures decide: no code of the user's, nothing outside, and nothing kept of earlier waits.
fn tells_nobody(retry: &Retry) -> bool {
    let hooks = [&retry.when, &retry.until, &retry.on_retry, &retry.retry_after];
    let remembers = retry.backoff.as_ref().is_some_and(|backoff| {
        matches!(
            backoff.kind,
            BackoffKind::Decorrelated { .. } | BackoffKind::Expr(_)
        )
    });
    hooks.into_iter().all(Option::is_none)
        && retry.budget.is_none()
        && !matches!(retry.attempts, Attempts::Unlimited(_))
        && !remembers
}

/// The whole run, an expression: a `Result`. `policy` is an expression of the policy in const evaluation, `call` one of an
/// attempt's future, where the attempt is called `cx`.
pub(super) fn execute(
    rt: &TokenStream,
    policy: &TokenStream,
    name: &TokenStream,
    error: &TokenStream,
    ended: &TokenStream,
    cx: &Ident,
    call: &TokenStream,
) -> TokenStream {
    let (timer, value) = (var("timer"), var("value"));
    let some = quote!(::core::option::Option::Some);
    let none = quote!(::core::option::Option::None);
    quote! {{
        struct __Plain;
        impl #rt::PlainPolicy for __Plain {
            const TREE: #rt::planner::Policy<'static> = #policy;
            const NAME: &'static str = #name;
        }
        #rt::in_span!(#name, {
            let mut #timer = ::core::pin::pin!(#rt::Plain::<__Plain, #error>::new());
            #timer.as_mut().begin();
            let #value = loop {
                let #some(#cx) = #timer.as_mut().next() else { break #none };
                if let #value @ #some(_) = #timer.as_mut().attempt(#call).await {
                    break #value;
                }
            };
            #timer.finish(#value, #ended)
        })
    }}
}
