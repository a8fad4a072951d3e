//! The user's code, taken apart as far as code generation needs it and no further.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::Parser;
use crate::ast::{Closure, Operation};
use crate::tokens::{Cursor, is_punct};

impl Parser {
    /// Everything that is left is the operation.
    pub(super) fn operation(&mut self, cursor: &mut Cursor) -> Operation {
        let whole: TokenStream = cursor.left().iter().cloned().collect();
        let async_token = cursor.eat_word("async");
        let move_token = cursor.eat_word("move");
        if async_token.is_some() && cursor.group_at(0, Delimiter::Brace).is_some() {
            let span = async_token.as_ref().map_or_else(|| cursor.span(), Ident::span);
            self.error_help(
                span,
                "an operation is a closure: an async block runs only once",
                "write `async |_| { … }`",
            );
            let body = cursor.rest();
            return Operation::Closure(Closure {
                whole,
                async_token,
                move_token,
                param: TokenTree::Ident(Ident::new("_", span)).into(),
                output: None,
                body,
            });
        }
        if !cursor.is_punct(0, '|') {
            let called = cursor.rest();
            let Some(word) = async_token else {
                return Operation::Expr(whole);
            };
            self.error_help(
                word.span(),
                "expected a closure behind `async`",
                "write `async |cx| { … }`",
            );
            return Operation::Expr(called);
        }
        cursor.skip(1);
        let mut param = Vec::new();
        while !cursor.is_empty() && !cursor.is_punct(0, '|') {
            param.extend(cursor.next());
        }
        let ends = cursor.eat_punct('|');
        if !ends {
            let span = cursor.last_span();
            self.error_help(
                span,
                "this closure's parameters don't end",
                "write `async |cx| { … }`",
            );
        }
        let output = (cursor.is_punct(0, '-') && cursor.is_punct(1, '>')).then(|| {
            cursor.skip(2);
            let mut output = Vec::new();
            while !cursor.is_empty() && cursor.group_at(0, Delimiter::Brace).is_none() {
                output.extend(cursor.next());
            }
            output.into_iter().collect()
        });
        if ends && cursor.is_empty() {
            let span = cursor.last_span();
            self.error_help(span, "this operation has no body", "write `async |cx| { … }`");
        }
        let mut body = cursor.rest();
        if body.is_empty() {
            body = quote::quote!(loop {});
        }
        Operation::Closure(Closure {
            whole,
            async_token,
            move_token,
            param: param.into_iter().collect(),
            output,
            body,
        })
    }
}

/// Whether an operation begins here.
pub(super) fn begins(cursor: &Cursor) -> bool {
    let bar = |n| is_punct(cursor.peek_nth(n), '|');
    bar(0) || cursor.is_word(0, "async") || (cursor.is_word(0, "move") && bar(1))
}
