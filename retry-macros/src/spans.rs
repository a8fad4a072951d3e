//! Where generated tokens stand: what rustc says of them is shown there.

use proc_macro2::{Span, TokenStream, TokenTree};

/// The tokens, every one of them at `span`, as if they had been written there.
pub(crate) fn respan(tokens: &TokenStream, span: Span) -> TokenStream {
    tokens
        .clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}

/// The tokens, shown at `span` as the macro's own.
pub(crate) fn located(tokens: &TokenStream, span: Span) -> TokenStream {
    tokens
        .clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}

/// The error in a function's return type: what follows the last comma of `Result<T, E>`, else the type's first token.
pub(crate) fn error_type(output: &TokenStream) -> Span {
    let mut depth = 0_usize;
    let mut tokens = output.clone().into_iter().peekable();
    let mut found = tokens.peek().map_or_else(Span::call_site, TokenTree::span);
    let mut previous = ' ';
    while let Some(token) = tokens.next() {
        let TokenTree::Punct(punct) = &token else {
            previous = ' ';
            continue;
        };
        match punct.as_char() {
            '<' => depth += 1,
            // `->` closes nothing.
            '>' if previous != '-' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => found = tokens.peek().map_or(found, TokenTree::span),
            _ => {}
        }
        previous = punct.as_char();
    }
    found
}
