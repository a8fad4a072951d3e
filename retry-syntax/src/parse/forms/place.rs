//! What runs in place: the short form, a tree with its code, and a named policy.

use proc_macro2::TokenTree;

use super::super::args::{Arg, Given, shorten};
use super::super::{Parser, operation, placeholder};
use crate::ast::{Head, InPlace, Operation, RunNamed};
use crate::tokens::{Cursor, List, path, split};
use crate::words::{HEDGE, Place, RETRY, SHORTHAND};

impl Parser {
    pub(super) fn in_place(&mut self, cursor: &mut Cursor, short: bool) -> InPlace {
        let (mut levels, mut attrs) = (Vec::new(), Vec::new());
        let before = self.errors.all().len();
        if short {
            for (hash, group) in cursor.attributes() {
                levels.extend(self.level_attribute(&hash, &group, &mut attrs));
            }
            let span = cursor.span();
            let mut head = Head::default();
            let mut operation = None;
            let mut args = Vec::new();
            for arg in self.args(cursor) {
                if arg.name.is_none() && operation::begins(&arg.value) && operation.is_none() {
                    operation = Some(self.operation(&mut arg.value.clone()));
                } else {
                    args.push(arg);
                }
            }
            if operation.is_none() {
                operation = self.trailing_operation(&mut args);
            }
            let runs = operation.is_some();
            let root = self.shorthand(args, Place::Shorthand, &mut head, operation, span);
            // What is still being typed has one error: that of what stands there.
            if !runs && self.errors.all().len() == before {
                self.error_help(
                    cursor.last_span(),
                    "the operation is missing",
                    "write it last: `attempts = 3, attempt = 500ms, async |cx| { … }`",
                );
            }
            return InPlace {
                head,
                move_token: None,
                levels,
                attrs,
                root,
                short,
            };
        }
        let head = self.head(cursor, true);
        let half_typed = cursor.is_empty() && self.errors.all().len() > before;
        let mut ahead = cursor.clone();
        let leading = ahead.attributes();
        // Attributes before `move` are the policy's; those before the root are the root's.
        if ahead.is_word(0, "move") {
            for (hash, group) in leading {
                levels.extend(self.level_attribute(&hash, &group, &mut attrs));
            }
            *cursor = ahead;
        }
        let move_token = cursor.eat_word("move");
        if cursor.is_empty() {
            let span = cursor.last_span();
            if half_typed {
                self.errors.keep_first(before);
            } else {
                self.error_help(
                    span,
                    "the policy is missing",
                    "write `deadline(1s) { … }` or another node",
                );
            }
            let root = placeholder(span);
            return InPlace {
                head,
                move_token,
                levels,
                attrs,
                root,
                short,
            };
        }
        let root = self.root(cursor);
        InPlace {
            head,
            move_token,
            levels,
            attrs,
            root,
            short,
        }
    }

    /// An operation that is a path or a call, such as `fetch`, as the last entry of the short form.
    fn trailing_operation(&mut self, args: &mut Vec<Arg>) -> Option<Operation> {
        let last = args.last()?;
        let word = last.lone().map(|word| word.to_string());
        let known = word.is_some_and(|word| Place::Shorthand.words().contains(&word.as_str()));
        let literal = matches!(last.value.peek(), Some(TokenTree::Literal(_)));
        if last.name.is_some() || known || literal {
            return None;
        }
        let mut last = args.pop()?;
        Some(self.operation(&mut last.value))
    }

    pub(super) fn run_named(&mut self, cursor: &mut Cursor) -> RunNamed {
        let policy = path(cursor);
        cursor.eat_punct(',');
        let parts = split(cursor, List::Args, &mut self.errors);
        let mut run = RunNamed {
            policy,
            operations: Vec::new(),
            head: Head::default(),
        };
        let mut given = Given::default();
        for mut part in parts {
            let named = part.ident_at(0).is_some() && part.is_assign(1);
            if !named {
                let span = part.span();
                let operation = self.operation(&mut part);
                if run.operations.iter().any(|(name, _)| name.is_none()) {
                    self.error_help(
                        span,
                        "a second operation needs its leaf's name",
                        "write `leaf = async |cx| { … }` for each",
                    );
                    continue;
                }
                run.operations.push((None, operation));
                continue;
            }
            let Some(word) = part.eat_ident() else { continue };
            part.skip(1);
            if !self.once(&mut given, &word) {
                continue;
            }
            match word.to_string().as_str() {
                "crate" => run.head.crate_path = Some(self.expression(&mut part, &word)),
                "interrupted" => run.head.interrupted = Some(self.expression(&mut part, &word)),
                _ if operation::begins(&part) => {
                    let operation = self.operation(&mut part);
                    run.operations.push((Some(word), operation));
                }
                name if RETRY.contains(&name) || SHORTHAND.contains(&name) || HEDGE.contains(&name) => {
                    let policy = shorten(&run.policy.to_string().replace(' ', ""));
                    self.error_help(
                        word.span(),
                        format!("`{word}` belongs to the policy `{policy}`"),
                        "write it there",
                    );
                }
                _ => {
                    let operation = self.operation(&mut part);
                    run.operations.push((Some(word), operation));
                }
            }
        }
        if run.operations.is_empty() {
            let policy = shorten(&run.policy.to_string().replace(' ', ""));
            self.error_help(
                crate::ast::first_span(&run.policy),
                "the operation is missing",
                format!("write `retry_policy!({policy}, async |cx| {{ … }})`"),
            );
        }
        run
    }
}
