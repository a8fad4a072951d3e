//! Whole inputs: which form stands there.
//!
//! `named` reads policies that are types, `place` what runs in place, `function` the arguments of `#[retry]`, `short` the
//! keys that stand for a tree, and `head` what may stand before one.

mod function;
mod head;
mod named;
mod place;
mod short;

use proc_macro2::{Delimiter, Ident, TokenTree};

use super::{Home, Parser, operation};
use crate::ast::Input;
use crate::tokens::Cursor;
use crate::words::NODES;

impl Parser {
    pub(in crate::parse) fn input(&mut self, cursor: &mut Cursor) -> Option<Input> {
        let mut ahead = cursor.clone();
        ahead.attributes();
        if ahead.is_empty() {
            self.error_help(
                ahead.span(),
                "expected a policy",
                "write `struct Name { … }`, or a policy in place: `attempts = 3, attempt = 500ms, async |cx| { … }`",
            );
            return None;
        }
        if starts_item(&ahead) {
            self.home = Home::Named;
            return Some(Input::Policies(self.named_policies(cursor)));
        }
        if let Some(name) = lacks_struct(&ahead) {
            self.error_help(
                name.span(),
                "a named policy begins with `struct`",
                format!("write `struct {name} {{ … }}`"),
            );
            return None;
        }
        let statement = ahead.ident_at(0).is_some() && ahead.is_assign(1) && ends_statement(&ahead);
        let short =
            (ahead.ident_at(0).is_some() && ahead.is_assign(1) && !statement) || operation::begins(&ahead);
        if !short
            && !statement
            && !ahead.is_word(0, "type")
            && !ahead.is_word(0, "move")
            && names_policy(&ahead)
        {
            return Some(Input::RunNamed(self.run_named(cursor)));
        }
        Some(Input::InPlace(self.in_place(cursor, short)))
    }
}

fn starts_item(cursor: &Cursor) -> bool {
    let mut ahead = cursor.clone();
    ahead.attributes();
    if ahead.eat_word("pub").is_some() {
        return true;
    }
    [
        "struct", "enum", "union", "fn", "const", "static", "trait", "impl", "mod",
    ]
    .iter()
    .any(|word| ahead.is_word(0, word))
}

/// The name of a policy that is declared without the `struct`.
fn lacks_struct(cursor: &Cursor) -> Option<&Ident> {
    let name = cursor.ident_at(0)?;
    let text = name.to_string();
    let names_a_type = text.starts_with(char::is_uppercase) && !NODES.contains(&&*text.to_lowercase());
    (names_a_type && cursor.group_at(1, Delimiter::Brace).is_some()).then_some(name)
}

/// Whether a `;` ends what begins here, before a comma does.
fn ends_statement(cursor: &Cursor) -> bool {
    let end = cursor.left().iter().find_map(|token| match token {
        TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => Some(punct.as_char()),
        _ => None,
    });
    end == Some(';')
}

/// Whether a policy's type stands here, and not a node.
fn names_policy(cursor: &Cursor) -> bool {
    let Some(first) = cursor.ident_at(0) else {
        return cursor.is_punct(0, ':') || cursor.is_punct(0, '<');
    };
    if NODES.iter().any(|node| first == node) || cursor.is_colon(1) {
        return false;
    }
    !matches!(cursor.peek_nth(1), Some(TokenTree::Group(_)))
}
