//! What a policy's hooks are written as.

use proc_macro2::TokenStream;

/// Whether a hook is an async closure, whose future is awaited.
pub(super) fn is_async(hook: &TokenStream) -> bool {
    hook.clone()
        .into_iter()
        .next()
        .is_some_and(|token| token.to_string() == "async")
}
