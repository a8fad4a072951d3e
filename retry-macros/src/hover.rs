//! Documentation on hover: the words of a policy are used as items of the facade, on their own spans.

use proc_macro2::TokenStream;
use quote::quote;
use retry_syntax::ast::Node;

/// A constant that names every word of the tree; it is worth nothing and costs nothing.
pub(crate) fn words(root: &Node, facade: &TokenStream) -> TokenStream {
    let mut uses = TokenStream::new();
    for node in root.preorder() {
        // The short form's nodes stand on the spans of keys, which have their own documentation.
        let (word, text) = (&node.keyword, node.keyword.to_string());
        let written = word.span().source_text().is_none_or(|source| source == text);
        if written && retry_syntax::words::NODES.contains(&text.as_str()) {
            uses.extend(quote!(words::node::#word,));
        }
        uses.extend(node.words.iter().map(|word| quote!(words::argument::#word,)));
    }
    quote! {
        const _: &[()] = {
            use #facade::__private::words;
            &[#uses]
        };
    }
}
