//! `type Error = …;`, `crate = …;` and `interrupted = …;` before a tree.

use proc_macro2::{TokenStream, TokenTree};

use super::super::Parser;
use super::super::args::{Given, example};
use super::ends_statement;
use crate::ast::Head;
use crate::tokens::Cursor;
use crate::words::{self, HEAD, NODES};

impl Parser {
    /// `type Error = …;`, `crate = …;`, `interrupted = …;`
    pub(super) fn head(&mut self, cursor: &mut Cursor, with_type: bool) -> Head {
        let mut head = Head::default();
        let mut given = Given::default();
        loop {
            let is_type = cursor.is_word(0, "type");
            let statement = cursor.ident_at(0).is_some() && cursor.is_assign(1) && ends_statement(cursor);
            if !is_type && !statement {
                return head;
            }
            if is_type {
                cursor.skip(1);
            }
            let Some(word) = cursor.eat_ident() else {
                self.error_help(
                    cursor.span(),
                    "expected `Error` behind `type`",
                    "write `type Error = MyError;`",
                );
                self.statement(cursor);
                continue;
            };
            let equals = cursor.is_assign(0);
            if equals {
                cursor.skip(1);
            }
            let value = self.statement(cursor);
            if !self.once(&mut given, &word) {
                continue;
            }
            let known = if is_type {
                word == "Error" && with_type
            } else {
                HEAD.iter().any(|head| word == head)
            };
            if !known {
                let help = if is_type || words::nearest(&word.to_string(), ["error", "Error"]).is_some() {
                    "write `type Error = MyError;`"
                } else {
                    "before a policy stand `type Error = …;`, `crate = …;` and `interrupted = …;`"
                };
                self.error_help(word.span(), format!("`{word}` isn't known here"), help);
                if is_type && head.error.is_none() && !value.is_empty() {
                    head.error = Some(value);
                }
                continue;
            }
            if value.is_empty() || !equals {
                let what = if is_type {
                    "type Error = MyError"
                } else {
                    example(&word.to_string())
                };
                self.error_help(
                    word.span(),
                    format!("`{word}` needs a value"),
                    format!("write `{what};`"),
                );
                continue;
            }
            match word.to_string().as_str() {
                "Error" => head.error = Some(value),
                "crate" => head.crate_path = Some(value),
                _ => head.interrupted = Some(value),
            }
        }
    }

    /// What stands before the `;`; without one, before the node that follows.
    fn statement(&mut self, cursor: &mut Cursor) -> TokenStream {
        let mut value: Vec<TokenTree> = Vec::new();
        while !cursor.is_empty() {
            if cursor.eat_punct(';') {
                return value.into_iter().collect();
            }
            let node = cursor
                .ident_at(0)
                .is_some_and(|word| NODES.iter().any(|node| word == node))
                && matches!(cursor.peek_nth(1), Some(TokenTree::Group(_)));
            if node
                && value
                    .last()
                    .is_some_and(|token| !matches!(token, TokenTree::Punct(p) if p.as_char() != '>'))
            {
                break;
            }
            value.extend(cursor.next());
        }
        let span = value.last().map_or_else(|| cursor.span(), TokenTree::span);
        self.error_help(
            span,
            "a `;` is missing behind this",
            "write `type Error = MyError;`",
        );
        value.into_iter().collect()
    }
}
