//! What a policy's hooks are written as.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::body::var;

/// Whether a hook is an async closure, whose future is awaited.
pub(super) fn is_async(hook: &TokenStream) -> bool {
    hook.clone()
        .into_iter()
        .next()
        .is_some_and(|token| token.to_string() == "async")
}

/// Statements that end in what a `when` says of the `error` of that name.
pub(super) fn verdict(rt: &TokenStream, when: &TokenStream, error: &Ident) -> TokenStream {
    let (verdict, quiet) = (var("verdict"), quiet(when));
    quote!(#quiet let #verdict = #rt::when(#error, #when); #verdict)
}

/// What keeps clippy's pedantic lints off `|error| error.retry_after()`: a hook is written as it is read.
pub(super) fn quiet(hook: &TokenStream) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = hook.clone().into_iter().collect();
    let [
        TokenTree::Punct(bar),
        TokenTree::Ident(name),
        _,
        TokenTree::Ident(used),
        TokenTree::Punct(dot),
        _,
        TokenTree::Group(call),
    ] = &tokens[..]
    else {
        return None;
    };
    let lints = bar.as_char() == '|' && name == used && dot.as_char() == '.' && call.stream().is_empty();
    lints.then(|| {
        quote! {
            #[allow(clippy::redundant_closure_for_method_calls, reason = "a hook is written as it is read")]
        }
    })
}
