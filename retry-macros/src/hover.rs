//! Documentation on hover: the words of a policy name items of the facade, on their own spans.

use proc_macro2::TokenStream;
use quote::quote;
use retry_syntax::ast::Node;

/// A statement that names the item of every word of the tree, for the inside of a body.
///
/// An import would be an item for each of them, and a constant that names them one more body for the compiler to check.
pub(crate) fn words(root: &Node, facade: &TokenStream) -> TokenStream {
    let mut named = TokenStream::new();
    let words = quote!(#facade::__private::words);
    for node in root.preorder() {
        // The short form's nodes stand on the spans of keys, which have their own documentation.
        let (word, text) = (&node.keyword, node.keyword.to_string());
        let written = word.span().source_text().is_none_or(|source| source == text);
        if written && retry_syntax::words::NODES.contains(&text.as_str()) {
            named.extend(quote!(#words::node::#word,));
        }
        named.extend(node.words.iter().map(|word| quote!(#words::argument::#word,)));
    }
    if named.is_empty() {
        return named;
    }
    quote!(let _ = (#named);)
}
