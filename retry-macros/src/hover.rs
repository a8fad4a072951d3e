//! Documentation on hover: the words of a policy name items of the facade, on their own spans.

use proc_macro2::TokenStream;
use quote::quote;
use retry_syntax::ast::Node;

/// An import of every word of the tree, for the inside of a body.
///
/// It binds no name, and is `pub` since nobody asks whether a public import is used. A constant that names the words would be
/// one more body for the compiler to check.
pub(crate) fn words(root: &Node, facade: &TokenStream) -> TokenStream {
    let mut uses = TokenStream::new();
    for node in root.preorder() {
        // The short form's nodes stand on the spans of keys, which have their own documentation.
        let (word, text) = (&node.keyword, node.keyword.to_string());
        let written = word.span().source_text().is_none_or(|source| source == text);
        if written && retry_syntax::words::NODES.contains(&text.as_str()) {
            uses.extend(quote!(node::#word as _,));
        }
        uses.extend(node.words.iter().map(|word| quote!(argument::#word as _,)));
    }
    quote! {
        #[allow(clippy::pub_use, reason = "inside a body it is public to nobody")]
        pub use #facade::__private::words::{#uses};
    }
}
