//! A plain policy: at most one limit around a retry, and in it one attempt.
//!
//! Its loop stands in the runtime (`retry_runtime::plain`, which has to agree with [`is_plain`]), for code that is generated
//! costs the compiler time in each crate that uses it: a loop written out, several times of what the user's own function does.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use retry_syntax::ast::{Attempts, BackoffKind, Node, NodeKind, Retry};

use super::body::{limits, var};
use super::hooks::is_async;

/// Whether a policy is plain.
pub(super) fn is_plain(root: &Node) -> bool {
    let Some(figures) = retry(root) else {
        return false;
    };
    let nodes = root.preorder();
    let keyless = matches!(&figures.child.kind, NodeKind::Attempt(attempt) if attempt.key.is_none());
    // Where nothing ever waits, a loop written out is smaller and faster than one that could.
    let waits = nodes.iter().any(|node| limits(node)) || !is_at_once(figures);
    keyless && waits && asks_little(figures) && nodes.iter().all(|node| node.name.is_none())
}

/// Whether a plain policy is told by its figures alone, some of which limit it.
pub(super) fn is_figures(root: &Node) -> bool {
    is_plain(root)
        && retry(root).is_some_and(|retry| retry.when.is_none() && retry.budget.is_none())
        && root.preorder().into_iter().any(limits)
}

/// What says in a plain policy which errors are worth another attempt.
pub(super) fn when(root: &Node) -> Option<&TokenStream> {
    retry(root)?.when.as_ref()
}

/// What pays for the repeats of a plain policy.
pub(super) fn budget(root: &Node) -> Option<&TokenStream> {
    let budget = retry(root)?.budget.as_ref()?;
    Some(&budget.path)
}

/// The retry of a plain policy.
fn retry(root: &Node) -> Option<&Retry> {
    let inner = match &root.kind {
        NodeKind::Timeout(limit) | NodeKind::Deadline(limit) => &limit.child,
        _ => root,
    };
    match &inner.kind {
        NodeKind::Retry(retry) => Some(retry),
        _ => None,
    }
}

/// Whether nothing but figures, a budget and an immediate predicate decides, and nothing is kept of earlier waits.
fn asks_little(retry: &Retry) -> bool {
    let hooks = [&retry.until, &retry.on_retry, &retry.retry_after];
    let remembers = retry.backoff.as_ref().is_some_and(|backoff| {
        matches!(
            backoff.kind,
            BackoffKind::Decorrelated { .. } | BackoffKind::Expr(_)
        )
    });
    hooks.into_iter().all(Option::is_none)
        && !retry.when.as_ref().is_some_and(is_async)
        && !matches!(retry.attempts, Attempts::Unlimited(_))
        && !remembers
}

fn is_at_once(retry: &Retry) -> bool {
    retry
        .backoff
        .as_ref()
        .is_some_and(|backoff| matches!(backoff.kind, BackoffKind::None))
}

/// The run of a plain policy, a future, where its operation can be called anew for each attempt.
pub(super) struct Run<'a> {
    pub(super) rt: &'a TokenStream,
    /// The type that stands for the policy.
    pub(super) policy: &'a TokenStream,
    pub(super) root: &'a Node,
    /// A value that says whether it is lenient, of the type of that name.
    pub(super) manner: &'a TokenStream,
    /// The type of what it brings.
    pub(super) output: &'a TokenStream,
    pub(super) operation: &'a TokenStream,
    /// Which errors are worth another attempt, where not all are: a function.
    pub(super) when: Option<TokenStream>,
    pub(super) ended: &'a TokenStream,
}

impl Run<'_> {
    pub(super) fn future(&self) -> TokenStream {
        let Self {
            rt,
            policy,
            root,
            manner,
            output,
            operation,
            when,
            ended,
        } = self;
        let clock = if root.preorder().into_iter().any(limits) {
            quote!(#rt::Limited)
        } else {
            quote!(#rt::Unlimited<#manner>)
        };
        let when = when.clone().unwrap_or_else(|| quote!(#rt::always));
        let payer = budget(root).map_or_else(
            || quote!(#rt::Free),
            |budget| quote!(#rt::Account::new(|| &#budget)),
        );
        quote!(#rt::run_plain::<#policy, #clock, #output, _, _, _>(#manner, #operation, #when, #payer, #ended))
    }
}

/// What the type `__Plain` stands for, where the policy has no type of its own.
pub(super) fn declared(rt: &TokenStream, policy: &TokenStream, name: &TokenStream) -> TokenStream {
    quote! {
        struct __Plain;
        impl #rt::PlainPolicy for __Plain {
            const TREE: #rt::planner::Policy<'static> = #policy;
            const NAME: &'static str = #name;
        }
    }
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
    let declared = declared(rt, policy, name);
    quote! {{
        #declared
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
