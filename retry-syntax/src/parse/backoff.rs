//! `backoff = …` and `jitter = …`

use proc_macro2::{Delimiter, Group, Ident, TokenTree};

use super::Parser;
use super::args::{Arg, Given, list, shorten};
use crate::ast::{Backoff, BackoffKind, Jitter, JitterKind, Value};
use crate::errors::Diagnostic;
use crate::tokens::Cursor;
use crate::words::{BACKOFFS, JITTERS, backoff_alias, jitter_alias, nearest};

/// A word with its parentheses, if that is all there is.
fn call(value: &Cursor) -> Option<(Ident, Option<Group>)> {
    match value.left() {
        [TokenTree::Ident(word)] => Some((word.clone(), None)),
        [TokenTree::Ident(word), TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            Some((word.clone(), Some(group.clone())))
        }
        _ => None,
    }
}

/// Whether a lone word is more likely a constant or a type than a mistyped word of ours.
fn is_foreign(word: &Ident) -> bool {
    word.to_string().starts_with(|c: char| c.is_uppercase())
}

impl Parser {
    pub(super) fn backoff(&mut self, value: &mut Cursor, word: &Ident) -> Option<Backoff> {
        let span = value.span();
        if value.is_empty() {
            self.error_help(
                word.span(),
                "`backoff` needs a value",
                "write `backoff = exponential(100ms)`",
            );
            return None;
        }
        let Some((name, group)) = call(value) else {
            return match value.peek() {
                Some(TokenTree::Literal(literal)) => {
                    let literal = literal.to_string();
                    self.error_help(
                        span,
                        format!("expected a backoff, found `{literal}`"),
                        format!("write `backoff = fixed({literal})`, or `backoff = exponential({literal})` to double it each time"),
                    );
                    None
                }
                _ => Some(Backoff {
                    span,
                    kind: BackoffKind::Expr(value.rest()),
                }),
            };
        };
        let text = name.to_string();
        if !BACKOFFS.contains(&text.as_str()) {
            if is_foreign(&name)
                && backoff_alias(&text.to_lowercase()).is_none()
                && nearest(&text, BACKOFFS).is_none()
            {
                return Some(Backoff {
                    span,
                    kind: BackoffKind::Expr(value.rest()),
                });
            }
            self.unknown_backoff(&name, group.as_ref());
            return None;
        }
        if text == "none" {
            if let Some(group) = group {
                self.error_help(
                    group.span_open(),
                    "`none` takes nothing",
                    "write `backoff = none`",
                );
            }
            return Some(Backoff {
                span,
                kind: BackoffKind::None,
            });
        }
        let Some(group) = group else {
            self.error_help(
                name.span(),
                format!("`{text}` needs its first wait"),
                format!("write `backoff = {text}(100ms)`"),
            );
            return None;
        };
        let inside = Cursor::inside(&group);
        let kind = if text == "schedule" {
            self.schedule(&inside, &name)
        } else {
            self.waits(&inside, &name)
        };
        Some(Backoff { span, kind })
    }

    fn unknown_backoff(&mut self, name: &Ident, group: Option<&Group>) {
        let text = name.to_string();
        let inside = group
            .map(|group| group.stream().to_string())
            .filter(|text| !text.is_empty());
        let mut fault = Diagnostic::new(name.span(), format!("there is no backoff `{text}`"));
        let with = |known: &str| match (&inside, known) {
            (Some(inside), "fixed" | "linear" | "exponential" | "decorrelated" | "schedule") => {
                format!("{known}({})", shorten(inside))
            }
            (None, "fixed" | "linear" | "exponential" | "decorrelated") => format!("{known}(100ms)"),
            (None, "schedule") => "schedule(100ms, 300ms)".to_owned(),
            _ => known.to_owned(),
        };
        fault = if let Some(alias) = backoff_alias(&text.to_lowercase()) {
            let known = alias.split('(').next().unwrap_or(alias);
            let written = if text.to_lowercase() == "fibonacci" {
                alias.to_owned()
            } else {
                with(known)
            };
            fault.help(format!("write `backoff = {written}`"))
        } else if let Some(near) = nearest(&text, BACKOFFS) {
            fault.help(format!("did you mean `{}`?", with(near)))
        } else {
            fault.help(format!("the backoffs are {}", list(&BACKOFFS)))
        };
        self.errors.push(fault);
    }

    fn schedule(&mut self, inside: &Cursor, name: &Ident) -> BackoffKind {
        let what = "schedule(100ms, 300ms, ..)";
        let mut repeat_last = false;
        let mut waits = Vec::new();
        let before = self.errors.all().len();
        let args = self.args(inside);
        let last = args.len().saturating_sub(1);
        for (n, mut arg) in args.into_iter().enumerate() {
            let dots = arg.name.is_none() && arg.value.is_punct(0, '.') && arg.value.is_punct(1, '.');
            if dots && arg.value.left().len() == 2 {
                if n == last {
                    repeat_last = true;
                } else {
                    self.error_help(
                        arg.span,
                        "`..` repeats the last wait, so it stands at the end",
                        format!("write `{what}`"),
                    );
                }
                continue;
            }
            if let Some(word) = &arg.name {
                self.error_help(
                    word.span(),
                    "a schedule is a list of waits, without names",
                    format!("write `{what}`"),
                );
                continue;
            }
            waits.push(self.duration(&mut arg.value, name.span(), what));
        }
        if waits.is_empty() {
            if self.errors.all().len() == before {
                self.error_help(
                    name.span(),
                    "`schedule` needs at least one wait",
                    format!("write `{what}`"),
                );
            }
            waits.push(Value::Literal(std::time::Duration::from_secs(1), name.span()));
        }
        // A repeated wait matches every number of attempts, so that a mistake in the list is all that is said.
        repeat_last |= self.errors.all().len() > before;
        BackoffKind::Schedule { waits, repeat_last }
    }

    fn waits(&mut self, inside: &Cursor, name: &Ident) -> BackoffKind {
        let text = name.to_string();
        let what = format!("{text}(100ms)");
        let allowed: &[&str] = match text.as_str() {
            "fixed" => &[],
            "exponential" => &["factor", "max"],
            _ => &["max"],
        };
        let (mut base, mut factor, mut max) = (None, None, None);
        let mut given = Given::default();
        let mut named_base = false;
        for mut arg in self.args(inside) {
            let Some(word) = arg.name.clone() else {
                if base.is_none() {
                    base = Some(self.duration(&mut arg.value, name.span(), &what));
                } else {
                    self.extra_wait(&arg, &text);
                }
                continue;
            };
            let key = word.to_string();
            if !allowed.contains(&key.as_str()) {
                named_base |= self.unknown_wait(&word, &text, allowed, &arg);
                continue;
            }
            if !self.once(&mut given, &word) {
                continue;
            }
            if key == "factor" {
                factor = Some(self.factor(&mut arg.value, word.span(), "factor = 2"));
            } else {
                max = Some(self.duration(&mut arg.value, word.span(), "max = 1s"));
            }
        }
        let base = base.unwrap_or_else(|| {
            if !named_base {
                self.error_help(
                    name.span(),
                    format!("`{text}` needs its first wait"),
                    format!("write `{what}`"),
                );
            }
            // Below every cap, so that nothing else is said.
            Value::Literal(std::time::Duration::from_nanos(1), name.span())
        });
        match text.as_str() {
            "fixed" => BackoffKind::Fixed(base),
            "linear" => BackoffKind::Linear { base, max },
            "decorrelated" => BackoffKind::Decorrelated { base, max },
            _ => BackoffKind::Exponential { base, factor, max },
        }
    }

    fn extra_wait(&mut self, arg: &Arg, backoff: &str) {
        let found = arg.value.clone().rest().to_string();
        let help = match backoff {
            "fixed" => "to list each wait, write `schedule(100ms, 300ms)`".to_owned(),
            "exponential" if crate::literal::factor(&found).is_ok() => format!("write `factor = {found}`"),
            _ if crate::literal::duration(&found).is_ok() => format!("write `max = {found}`"),
            "exponential" => "its other arguments are `factor = 2` and `max = 10s`".to_owned(),
            _ => "its other argument is `max = 10s`".to_owned(),
        };
        self.error_help(
            arg.span,
            format!("`{backoff}` has one value without a name, its first wait"),
            help,
        );
    }

    /// `true` if the word stood for the first wait.
    fn unknown_wait(&mut self, word: &Ident, backoff: &str, allowed: &[&str], arg: &Arg) -> bool {
        let key = word.to_string();
        let value = arg.value.clone().rest().to_string();
        let base = matches!(
            key.as_str(),
            "base"
                | "initial"
                | "min"
                | "delay"
                | "initial_delay"
                | "min_delay"
                | "initial_interval"
                | "start"
                | "wait"
                | "interval"
        );
        let mut fault = Diagnostic::new(word.span(), format!("`{backoff}` has no argument `{key}`"));
        let alias = match key.as_str() {
            "multiplier" | "exponent" | "rate" if allowed.contains(&"factor") => Some("factor"),
            "cap" | "max_delay" | "max_interval" | "limit" | "maximum" | "ceiling"
                if allowed.contains(&"max") =>
            {
                Some("max")
            }
            "jitter" => {
                self.errors
                    .push(fault.help("`jitter` is an argument of `retry`, beside `backoff`"));
                return false;
            }
            _ => nearest(&key, allowed.iter().copied()),
        };
        fault = if base {
            fault.help(format!(
                "write its first wait without a name: `{backoff}({})`",
                if value.is_empty() { "100ms" } else { &value }
            ))
        } else if let Some(alias) = alias {
            fault.help(format!(
                "write `{alias} = {}`",
                if value.is_empty() { "…" } else { &value }
            ))
        } else if allowed.is_empty() {
            fault.help("it takes one wait, such as `fixed(100ms)`")
        } else {
            fault.help(format!("its arguments are the first wait, {}", list(allowed)))
        };
        self.errors.push(fault);
        base
    }

    pub(super) fn jitter(&mut self, value: &mut Cursor, word: &Ident) -> Option<Jitter> {
        let span = value.span();
        if value.is_empty() {
            self.error_help(word.span(), "`jitter` needs a value", "write `jitter = full`");
            return None;
        }
        let Some((name, group)) = call(value) else {
            if let Some(TokenTree::Literal(literal)) = value.peek() {
                let literal = literal.to_string();
                let spread =
                    crate::literal::factor(&literal).map_or_else(|_| "0.2".to_owned(), |_| literal.clone());
                self.error_help(
                    span,
                    format!("expected a jitter, found `{literal}`"),
                    format!("write `jitter = spread({spread})`, or `jitter = full`"),
                );
                return None;
            }
            return Some(Jitter {
                span,
                kind: JitterKind::Expr(value.rest()),
            });
        };
        let text = name.to_string();
        let kind = match (text.as_str(), &group) {
            ("none", None) => JitterKind::None,
            ("full", None) => JitterKind::Full,
            ("equal", None) => JitterKind::Equal,
            ("spread", Some(group)) => {
                let mut inside = Cursor::inside(group);
                JitterKind::Spread(self.factor(&mut inside, name.span(), "jitter = spread(0.2)"))
            }
            ("spread", None) => {
                self.error_help(
                    name.span(),
                    "`spread` needs a share of the wait",
                    "write `jitter = spread(0.2)`",
                );
                return None;
            }
            ("none" | "full" | "equal", Some(group)) => {
                self.error_help(
                    group.span_open(),
                    format!("`{text}` takes nothing"),
                    format!("write `jitter = {text}`"),
                );
                return None;
            }
            _ if is_foreign(&name) && nearest(&text, JITTERS).is_none() => JitterKind::Expr(value.rest()),
            _ => {
                let fault = Diagnostic::new(name.span(), format!("there is no jitter `{text}`"));
                let fault = if let Some(alias) = jitter_alias(&text.to_lowercase()) {
                    fault.help(format!("write `jitter = {alias}`"))
                } else if text == "decorrelated" {
                    fault.help("write `backoff = decorrelated(100ms)`, which brings its own")
                } else if let Some(near) = nearest(&text, JITTERS) {
                    fault.help(format!("did you mean `{near}`?"))
                } else {
                    fault.help(format!("the jitters are {}", list(&JITTERS)))
                };
                self.errors.push(fault);
                return None;
            }
        };
        Some(Jitter { span, kind })
    }
}
