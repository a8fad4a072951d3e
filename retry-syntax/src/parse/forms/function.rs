//! The arguments of `#[retry(…)]`.

use proc_macro2::TokenTree;

use super::super::args::{Arg, Given, example, shorten};
use super::super::keys::AttemptKeys;
use super::super::{Parser, placeholder};
use super::names_policy;
use crate::ast::{FnPolicy, Head, Node, NodeKind, RetryArgs};
use crate::errors::Diagnostic;
use crate::tokens::{Cursor, List, split};
use crate::words::{ATTEMPT, FUNCTION, HEDGE, NODES, Place, RETRY, SHORTHAND};

impl Parser {
    pub(in crate::parse) fn retry_args(&mut self, cursor: &mut Cursor) -> RetryArgs {
        let span = cursor.span();
        let mut args = RetryArgs {
            policy: FnPolicy::Tree(placeholder(span)),
            levels: Vec::new(),
            head: Head::default(),
            context: None,
            clones: Vec::new(),
            export: None,
            calls: Vec::new(),
        };
        if cursor.is_empty() {
            self.error_help(
                span,
                "`#[retry]` needs a policy",
                "write `#[retry(attempts = 3, attempt = 500ms)]`",
            );
            return args;
        }
        let mut given = Given::default();
        let mut policy: Option<Arg> = None;
        let mut keys = Vec::new();
        for mut arg in self.args(cursor) {
            if self.function_key(&mut args, &mut given, &mut arg) {
                continue;
            }
            let flag = arg
                .lone()
                .is_some_and(|word| word == "idempotent" || word == "idempotency_key");
            let is_key = arg.name.is_some() || flag || !may_be_policy(&arg.value);
            if is_key {
                keys.push(arg);
            } else if policy.is_some() {
                self.error_help(arg.span, "a function has one policy", "keep one of them");
            } else {
                policy = Some(arg);
            }
        }
        // Beside the words of a policy, a lone small word is one of them that isn't there or isn't whole.
        if let Some(arg) = policy.take_if(|arg| unfinished(arg) && keys.iter().any(of_a_policy)) {
            keys.push(arg);
        }
        match policy.map(|arg| arg.value) {
            None => {
                let root = self.shorthand(keys, Place::Function, &mut args.head, None, span);
                args.policy = FnPolicy::Tree(root);
            }
            Some(mut tokens) => {
                let tree = !names_policy(&tokens);
                let text = shorten(&tokens.clone().rest().to_string().replace(' ', ""));
                args.policy = if tree {
                    FnPolicy::Tree(self.root(&mut tokens))
                } else {
                    FnPolicy::Named(tokens.rest())
                };
                self.keys_beside_policy(&mut args, &mut given, keys, &text);
            }
        }
        args
    }

    /// Keys that only `#[retry]` has; `false` if it isn't one.
    fn function_key(&mut self, args: &mut RetryArgs, given: &mut Given, arg: &mut Arg) -> bool {
        let called = arg.called();
        let word = arg
            .name
            .clone()
            .or_else(|| called.as_ref().map(|(word, _)| word.clone()))
            .or_else(|| arg.lone());
        let Some(word) = word.filter(|word| FUNCTION.iter().any(|known| word == known)) else {
            return false;
        };
        if !self.once(given, &word) {
            return true;
        }
        let text = word.to_string();
        match (text.as_str(), called) {
            ("context", None) if arg.assigned => args.context = self.name(&mut arg.value, &word),
            ("export", None) if arg.assigned => args.export = self.name(&mut arg.value, &word),
            ("clone", Some((_, group))) => {
                for mut part in split(&Cursor::inside(&group), List::Args, &mut self.errors) {
                    args.clones.extend(self.name(&mut part, &word));
                }
                if args.clones.is_empty() && group.stream().is_empty() {
                    self.error_help(
                        word.span(),
                        "`clone` names the arguments that are cloned for each attempt",
                        "write `clone(name, …)`",
                    );
                }
            }
            ("calls", Some((_, group))) => {
                let parts = split(&Cursor::inside(&group), List::Args, &mut self.errors);
                if parts.is_empty() {
                    self.error_help(
                        word.span(),
                        "`calls` names the plans that the function calls",
                        "write `calls(pay::CHARGE_PLAN, Refund)`",
                    );
                }
                args.calls.extend(parts.into_iter().map(|mut part| part.rest()));
            }
            _ => {
                let help = format!("write `{}`", example(&text));
                self.error_help(word.span(), format!("`{text}` is written otherwise"), help);
            }
        }
        true
    }

    fn keys_beside_policy(&mut self, args: &mut RetryArgs, given: &mut Given, keys: Vec<Arg>, policy: &str) {
        let mut attempt = AttemptKeys::default();
        for mut arg in keys {
            let word = arg.name.clone().or_else(|| arg.lone());
            let text = word.as_ref().map(ToString::to_string).unwrap_or_default();
            let Some(word) = word else {
                self.unknown(Place::FunctionTree, given, &arg);
                continue;
            };
            let tree = matches!(args.policy, FnPolicy::Tree(_));
            match text.as_str() {
                "crate" | "interrupted" if arg.assigned => {
                    if self.once(given, &word) {
                        let value = Some(self.expression(&mut arg.value, &word));
                        if text == "crate" {
                            args.head.crate_path = value;
                        } else {
                            args.head.interrupted = value;
                        }
                    }
                }
                "idempotent" | "idempotency_key" if tree => {
                    if self.once(given, &word) {
                        attempt.take(self, &mut arg);
                    }
                }
                _ if of_a_policy(&arg) => {
                    let (message, help) = if tree {
                        (
                            format!("`{text}` stands inside the policy's tree"),
                            "write it on its node there".to_owned(),
                        )
                    } else {
                        (
                            format!("`{text}` belongs to the policy `{policy}`"),
                            "write it there".to_owned(),
                        )
                    };
                    self.errors.push(Diagnostic::new(word.span(), message).help(help));
                }
                _ => self.unknown(Place::FunctionTree, given, &arg),
            }
        }
        if let FnPolicy::Tree(root) = &mut args.policy {
            place_on_leaf(root, attempt);
        }
    }
}

/// `idempotent` and `idempotency_key` beside a tree are those of its one leaf.
fn place_on_leaf(node: &mut Node, keys: AttemptKeys) {
    if let NodeKind::Attempt(attempt) = &mut node.kind {
        attempt.idempotent = attempt.idempotent.take().or(keys.idempotent);
        attempt.key = attempt.key.take().or(keys.key);
    } else if let [child, ..] = node.kind.children_mut() {
        place_on_leaf(child, keys);
    }
}

/// Whether this is a word of a policy's own.
fn of_a_policy(arg: &Arg) -> bool {
    let word = arg.name.clone().or_else(|| arg.lone());
    word.is_some_and(|word| {
        [&RETRY[..], &HEDGE[..], &SHORTHAND[..], &ATTEMPT[..]]
            .into_iter()
            .flatten()
            .any(|known| word == known)
    })
}

/// Whether this is a lone word in small letters.
fn unfinished(arg: &Arg) -> bool {
    arg.lone()
        .is_some_and(|word| word.to_string().starts_with(|c: char| c.is_lowercase()))
}

/// Whether this can be the policy of `#[retry(…)]` rather than a mistyped key.
fn may_be_policy(cursor: &Cursor) -> bool {
    if matches!(cursor.peek(), Some(TokenTree::Literal(_))) {
        return false;
    }
    let Some(word) = cursor.ident_at(0) else {
        return true;
    };
    if cursor.left().len() > 1 || NODES.iter().any(|node| word == node) {
        return true;
    }
    let text = word.to_string();
    text.starts_with(|c: char| c.is_uppercase()) || !Place::Function.words().contains(&text.as_str())
}
