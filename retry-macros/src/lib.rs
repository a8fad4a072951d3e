//! How a retry policy becomes code: `retry_policy!` and `#[retry]`.
//!
//! tokens → `retry_syntax::parse` → a spanned tree → `judge` → findings, on their tokens → `generate` → tokens.
//!
//! A fault never stops the pipeline: the tree is always whole, so the type or the function is there beside the errors, and
//! what uses it doesn't fail too.

mod chain;
mod expand;
mod generate;
mod hooks;
mod hover;
mod judge;
mod spans;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// A retry policy: a type with a typed executor, or a run in place.
#[proc_macro]
pub fn retry_policy(input: TokenStream) -> TokenStream {
    expand::policy(input.into()).into()
}

/// Runs a function's body under a retry policy.
#[proc_macro_attribute]
pub fn retry(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(arguments.into(), item.into()).into()
}
