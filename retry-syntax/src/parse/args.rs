//! `name = value, …`: the arguments of a node and the keys of the short form.

use proc_macro2::{Group, Ident, Span, TokenTree};

use super::Parser;
use crate::errors::Diagnostic;
use crate::tokens::{Cursor, List, split};
use crate::words::{self, Place};

/// One argument.
pub(super) struct Arg {
    /// The word before `=`; for `clone(a, b)` the word before the parentheses.
    pub(super) name: Option<Ident>,
    /// Whether an `=` follows the word.
    pub(super) assigned: bool,
    /// What stands after the `=`; the whole argument where there is none.
    pub(super) value: Cursor,
    /// The first token.
    pub(super) span: Span,
}

impl Arg {
    /// A lone word, such as `idempotency_key`.
    pub(super) fn lone(&self) -> Option<Ident> {
        let lone = self.name.is_none() && self.value.left().len() == 1;
        lone.then(|| self.value.ident_at(0).cloned()).flatten()
    }

    /// A word with parentheses, such as `clone(a, b)`.
    pub(super) fn called(&self) -> Option<(Ident, Group)> {
        match (self.name.is_none(), self.value.left()) {
            (true, [TokenTree::Ident(word), TokenTree::Group(group)]) => Some((word.clone(), group.clone())),
            _ => None,
        }
    }

    fn text(&self) -> String {
        self.value.clone().rest().to_string()
    }
}

/// Which arguments were given.
#[derive(Default)]
pub(super) struct Given {
    pub(super) words: Vec<Ident>,
    /// What words of other libraries stood for.
    meant: Vec<&'static str>,
}

impl Given {
    pub(super) fn has(&self, word: &str) -> bool {
        self.meant.contains(&word) || self.words.iter().any(|given| given == word)
    }
}

impl Parser {
    pub(super) fn args(&mut self, cursor: &Cursor) -> Vec<Arg> {
        split(cursor, List::Args, &mut self.errors)
            .into_iter()
            .map(arg)
            .collect()
    }

    /// Notes a named argument; `false` if it was given before.
    pub(super) fn once(&mut self, given: &mut Given, word: &Ident) -> bool {
        if given.words.iter().any(|before| before == word) {
            self.error_help(
                word.span(),
                format!("`{word}` is given twice"),
                "keep one of them",
            );
            return false;
        }
        given.words.push(word.clone());
        true
    }

    /// An argument that `place` doesn't have.
    pub(super) fn unknown(&mut self, place: Place, given: &mut Given, arg: &Arg) {
        let word = arg.name.clone().or_else(|| arg.value.ident_at(0).cloned());
        let Some(word) = word else {
            let owner = place.owner();
            self.error_help(
                arg.span,
                format!(
                    "expected an argument of {owner}, found `{}`",
                    shorten(&arg.text())
                ),
                Self::positional_help(place, arg),
            );
            if place == Place::Retry {
                given.meant.push("attempts");
            }
            return;
        };
        let text = if arg.assigned { arg.text() } else { String::new() };
        let name = word.to_string();
        if let Some(answer) = words::argument_alias(place, &name, &text) {
            given.meant.extend(answer.means);
            self.errors
                .push(Diagnostic::new(word.span(), answer.message).help(answer.help));
            return;
        }
        let all = place.words();
        if let Some(known) = all.iter().find(|known| **known == name) {
            given.meant.push(known);
            let example = example(known);
            self.error_help(
                word.span(),
                format!("`{known}` needs a value"),
                format!("write `{example}`"),
            );
            return;
        }
        let owner = place.owner();
        let mut fault = Diagnostic::new(word.span(), format!("{owner} has no argument `{name}`"));
        fault = match words::nearest(&name, all.iter().copied()) {
            Some(near) => {
                given.meant.push(near);
                fault.help(format!("did you mean `{near}`?"))
            }
            None => fault.help(format!("its arguments are {}", list(&all))),
        };
        self.errors.push(fault);
    }

    fn positional_help(place: Place, arg: &Arg) -> String {
        let text = shorten(&arg.text());
        match place {
            Place::Retry | Place::Function | Place::Shorthand if text.parse::<u32>().is_ok() => {
                format!("write `attempts = {text}`")
            }
            Place::Shorthand | Place::Function if crate::literal::duration(&text).is_ok() => {
                format!(
                    "write `attempt = {text}` to bound each attempt, or `deadline = {text}` to bound the whole run"
                )
            }
            Place::Hedge => "its arguments are named: `hedge(after = 80ms, copies = 2)`".to_owned(),
            Place::Attempt => "it has one bound, such as `attempt(500ms)`".to_owned(),
            _ => "its arguments are named, such as `attempts = 3`".to_owned(),
        }
    }
}

fn arg(part: Cursor) -> Arg {
    let span = part.span();
    let mut value = part;
    if value.ident_at(0).is_some() && value.is_assign(1) {
        let name = value.eat_ident();
        value.skip(1);
        return Arg {
            name,
            assigned: true,
            value,
            span,
        };
    }
    Arg {
        name: None,
        assigned: false,
        value,
        span,
    }
}

pub(super) fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(37).chain("...".chars()).collect()
}

pub(super) fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// How an argument is written.
pub(super) fn example(word: &str) -> &'static str {
    match word {
        "attempts" => "attempts = 3",
        "backoff" => "backoff = exponential(100ms)",
        "jitter" => "jitter = full",
        "budget" => "budget = PAYMENTS",
        "when" => "when = |error| error.is_transient()",
        "until" => "until = |value| value.is_ready()",
        "timeouts" => "timeouts = stop",
        "retry_after" => "retry_after = |error| error.retry_after()",
        "retry_after_max" => "retry_after_max = 30s",
        "on_retry" => "on_retry = |retry| log(retry)",
        "after" => "after = 80ms",
        "copies" => "copies = 2",
        "takes" => "takes = 50ms..=500ms",
        "idempotent" => "idempotent = false",
        "idempotency_key" => "idempotency_key = order.id.to_string()",
        "attempt" => "attempt = 500ms",
        "deadline" => "deadline = 2s",
        "crate" => "crate = path::to::retry_plan",
        "interrupted" => "interrupted = |interrupted| MyError::from(interrupted)",
        "context" => "context = cx",
        "clone" => "clone(name)",
        "export" => "export = CHARGE_PLAN",
        "calls" => "calls(pay::CHARGE_PLAN)",
        _ => "name = value",
    }
}
