//! From a policy to the code that runs it.

use proc_macro2::TokenStream;
use quote::quote;
use retry_syntax::ast::{InPlace, NamedPolicy, RetryArgs, RunNamed};

use crate::judge::Judged;

/// A named policy: its type, its constants, and its executor.
pub(crate) fn named(policy: &NamedPolicy, facade: &TokenStream, judged: &Judged) -> TokenStream {
    let NamedPolicy {
        attrs,
        vis,
        struct_token,
        ident,
        generics,
        ..
    } = policy;
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    let policy = &judged.policy;
    quote! {
        #(#attrs)*
        #vis #struct_token #ident #generics #clause {}

        #[automatically_derived]
        impl #impl_generics #ident #type_generics #clause {
            /// The policy as data.
            pub const POLICY: #facade::__private::planner::Policy<'static> = #policy;
        }
    }
}

/// A policy in place: an expression.
pub(crate) fn in_place(_place: &InPlace, _facade: &TokenStream, judged: &Judged) -> TokenStream {
    judged.policy.clone()
}

/// A named policy in place: an expression.
pub(crate) fn run_named(run: &RunNamed, _facade: &TokenStream) -> TokenStream {
    let policy = &run.policy;
    quote!(#policy::POLICY)
}

/// What errors call a function's policy: the word behind `fn`.
pub(crate) fn function_name(item: &TokenStream) -> String {
    let mut words = item
        .clone()
        .into_iter()
        .skip_while(|token| token.to_string() != "fn");
    words.nth(1).map_or_else(String::new, |name| name.to_string())
}

/// A function; `judged` and `words` are there where its policy is a tree.
pub(crate) fn function(
    _args: &RetryArgs,
    attributes: &[TokenStream],
    item: TokenStream,
    _facade: &TokenStream,
    _judged: Option<&Judged>,
    words: Option<TokenStream>,
) -> TokenStream {
    quote!(#words #(#attributes)* #item)
}
