//! The plan of a policy in its documentation.

use proc_macro2::TokenStream;
use quote::quote;

use crate::judge::Judged;

/// The plan as a section below what the user wrote.
pub(super) fn policy(judged: &Judged) -> TokenStream {
    judged
        .docs
        .as_ref()
        .map(|docs| {
            let lines = docs.lines().map(|line| format!(" {line}"));
            quote!(#[doc = ""] #(#[doc = #lines])*)
        })
        .unwrap_or_default()
}
