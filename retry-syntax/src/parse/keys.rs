//! The arguments of `retry`, `hedge` and `attempt`: on the nodes themselves and as keys of the short form.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream};

use super::Parser;
use super::args::{Arg, Given, example};
use crate::ast::{Attempts, Backoff, Budget, Hedge, Jitter, Key, Node, Retry, Takes, Value};
use crate::errors::Diagnostic;
use crate::tokens::{Cursor, is_punct};

#[derive(Default)]
pub(super) struct RetryKeys {
    pub(super) attempts: Option<Attempts>,
    backoff: Option<Backoff>,
    jitter: Option<Jitter>,
    pub(super) budget: Option<Budget>,
    when: Option<TokenStream>,
    until: Option<TokenStream>,
    on_retry: Option<TokenStream>,
    retry_after: Option<TokenStream>,
    retry_after_max: Option<Value<Duration>>,
    stop_on_timeout: bool,
}

impl RetryKeys {
    /// Takes an argument of `retry`; `false` if it isn't one.
    pub(super) fn take(&mut self, parser: &mut Parser, arg: &mut Arg) -> bool {
        let Some(word) = arg.name.clone() else {
            return false;
        };
        let value = &mut arg.value;
        match word.to_string().as_str() {
            "attempts" => self.attempts = Some(parser.attempts(value, &word)),
            "backoff" => self.backoff = parser.backoff(value, &word),
            "jitter" => self.jitter = parser.jitter(value, &word),
            "budget" => self.budget = parser.budget(value, &word),
            "when" => self.when = Some(parser.expression(value, &word)),
            "until" => self.until = Some(parser.expression(value, &word)),
            "on_retry" => self.on_retry = Some(parser.expression(value, &word)),
            "retry_after" => self.retry_after = Some(parser.expression(value, &word)),
            "retry_after_max" => {
                self.retry_after_max = Some(parser.duration(value, word.span(), example("retry_after_max")));
            }
            "timeouts" => self.stop_on_timeout = parser.timeouts(value, &word),
            _ => return false,
        }
        true
    }

    pub(super) fn build(self, parser: &mut Parser, given: &Given, keyword: &Ident, child: Node) -> Retry {
        let attempts = self.attempts.unwrap_or_else(|| {
            if !given.has("attempts") {
                parser.error_help(
                    keyword.span(),
                    "`attempts` is missing: how often is tried, the first try included?",
                    "write `attempts = 3`, or `attempts = ..=3` for as many as fit, or `attempts = unlimited`",
                );
            }
            Attempts::Exactly(Value::Literal(1, keyword.span()))
        });
        if self.retry_after.is_none()
            && let Some(max) = &self.retry_after_max
            && !given.has("retry_after")
        {
            parser.error_help(
                max.span(),
                "`retry_after_max` bounds `retry_after`, which is missing",
                format!("write `{}` too", example("retry_after")),
            );
        }
        Retry {
            attempts,
            backoff: self.backoff,
            jitter: self.jitter,
            budget: self.budget,
            when: self.when,
            until: self.until,
            on_retry: self.on_retry,
            retry_after: self.retry_after,
            retry_after_max: self.retry_after_max,
            stop_on_timeout: self.stop_on_timeout,
            child: Box::new(child),
        }
    }
}

#[derive(Default)]
pub(super) struct HedgeKeys {
    after: Option<Value<Duration>>,
    copies: Option<Value<u32>>,
    pub(super) budget: Option<Budget>,
}

impl HedgeKeys {
    pub(super) fn take(&mut self, parser: &mut Parser, arg: &mut Arg) -> bool {
        let Some(word) = arg.name.clone() else {
            return false;
        };
        match word.to_string().as_str() {
            "after" => self.after = Some(parser.duration(&mut arg.value, word.span(), example("after"))),
            "copies" => self.copies = Some(parser.count(&mut arg.value, word.span(), example("copies"))),
            "budget" => self.budget = parser.budget(&mut arg.value, &word),
            _ => return false,
        }
        true
    }

    pub(super) fn build(self, parser: &mut Parser, given: &Given, keyword: &Ident, child: Node) -> Hedge {
        let mut missing = |word: &str, what: &str| {
            if !given.has(word) {
                parser.error_help(
                    keyword.span(),
                    format!("`{word}` is missing: {what}"),
                    format!("write `{}`", example(word)),
                );
            }
        };
        if self.after.is_none() {
            missing("after", "how long without an answer until the next copy starts?");
        }
        if self.copies.is_none() {
            missing("copies", "how many run at most, the first included?");
        }
        let span = keyword.span();
        let copies = self.copies.map(|copies| parser.copies(copies));
        Hedge {
            after: self
                .after
                .unwrap_or(Value::Literal(Duration::from_millis(1), span)),
            copies: copies.unwrap_or(Value::Literal(2, span)),
            budget: self.budget,
            child: Box::new(child),
        }
    }
}

#[derive(Default)]
pub(super) struct AttemptKeys {
    pub(super) bound: Option<Value<Duration>>,
    pub(super) takes: Option<Takes>,
    pub(super) idempotent: Option<Value<bool>>,
    pub(super) key: Option<Key>,
}

impl AttemptKeys {
    /// Takes a named argument of `attempt`, or the word `idempotency_key` alone.
    pub(super) fn take(&mut self, parser: &mut Parser, arg: &mut Arg) -> bool {
        let lone = arg.lone();
        let Some(word) = arg.name.clone().or_else(|| lone.clone()) else {
            return false;
        };
        match word.to_string().as_str() {
            "takes" if lone.is_none() => self.takes = Some(parser.takes(&mut arg.value, &word)),
            "idempotent" if lone.is_none() => {
                self.idempotent = Some(parser.boolean(&mut arg.value, word.span(), "idempotent = false"));
            }
            "idempotent" => self.idempotent = Some(Value::Literal(true, word.span())),
            "idempotency_key" => {
                let expr = lone.is_none().then(|| parser.expression(&mut arg.value, &word));
                self.key = Some(Key { word, expr });
            }
            _ => return false,
        }
        true
    }
}

/// How many copies a run has room for.
const MOST_COPIES: u32 = 16;

impl Parser {
    /// As many copies as a hedge can have, so that nothing else is said.
    fn copies(&mut self, copies: Value<u32>) -> Value<u32> {
        let (message, help) = match copies.literal() {
            Some(0) => (
                "zero copies run nothing: `copies` counts the first one too".to_owned(),
                "write `copies = 2` for one more while the first is out".to_owned(),
            ),
            Some(1) => (
                "one copy is no hedge: `copies` counts the first one too".to_owned(),
                "write `copies = 2` for one more while the first is out".to_owned(),
            ),
            Some(many) if *many > MOST_COPIES => (
                format!("{many} copies are too many: a run has room for {MOST_COPIES} of them"),
                format!("write `copies = {MOST_COPIES}`"),
            ),
            _ => return copies,
        };
        let span = copies.span();
        self.error_help(span, message, help);
        Value::Literal(2, span)
    }

    fn attempts(&mut self, value: &mut Cursor, word: &Ident) -> Attempts {
        let what = example("attempts");
        if value.left().len() == 1
            && let Some(ident) = value.ident_at(0).cloned()
        {
            let text = ident.to_string();
            if text == "unlimited" {
                return Attempts::Unlimited(ident);
            }
            let near = match text.as_str() {
                "infinite" | "infinity" | "forever" | "endless" | "unbounded" | "max" | "always"
                | "Unlimited" | "inf" => Some("unlimited"),
                _ => crate::words::nearest(&text, ["unlimited"]),
            };
            if near.is_some() {
                self.error_help(
                    ident.span(),
                    format!("`{text}` isn't a count"),
                    "write `attempts = unlimited`",
                );
                return Attempts::Unlimited(ident);
            }
        }
        let tokens = value.left();
        let dots =
            (0..tokens.len()).find(|&n| is_punct(tokens.get(n), '.') && is_punct(tokens.get(n + 1), '.'));
        let Some(dots) = dots else {
            return Attempts::Exactly(self.count(value, word.span(), what));
        };
        let span = tokens[dots].span();
        let closed = is_punct(tokens.get(dots + 2), '=');
        let after = (dots + 2 + usize::from(closed)).min(tokens.len());
        let mut high = Cursor::of(tokens[after..].to_vec(), value.end());
        if high.is_empty() {
            self.error_help(
                span,
                "the most is missing",
                "write `attempts = ..=3`, or `attempts = unlimited`",
            );
            return Attempts::UpTo(Value::Literal(1, span));
        }
        let text = high.clone().rest().to_string();
        if dots > 0 {
            self.error_help(
                value.span(),
                "as many as fit has no least: the first attempt is always made",
                format!("write `attempts = ..={text}`"),
            );
        } else if !closed {
            let less = text
                .parse::<u32>()
                .ok()
                .map(|n| n.saturating_sub(1).max(1).to_string());
            let less = less
                .filter(|less| *less != text)
                .map_or(String::new(), |less| format!(", or `..={less}`"));
            self.error_help(
                span,
                "the most is part of `attempts`",
                format!("write `attempts = ..={text}`{less}"),
            );
        }
        Attempts::UpTo(self.count(&mut high, word.span(), "attempts = ..=3"))
    }

    fn timeouts(&mut self, value: &mut Cursor, word: &Ident) -> bool {
        if let (Some(ident), 1) = (value.ident_at(0), value.left().len()) {
            if ident == "retry" {
                return false;
            }
            if ident == "stop" {
                return true;
            }
        }
        let span = if value.is_empty() {
            word.span()
        } else {
            value.span()
        };
        let text = value.rest().to_string();
        let found = if text.is_empty() {
            String::new()
        } else {
            format!(", found `{}`", super::args::shorten(&text))
        };
        self.error_help(
            span,
            format!("expected `retry` or `stop`{found}"),
            "write `timeouts = retry` to try again after a timeout, or `timeouts = stop` to end there",
        );
        false
    }

    pub(super) fn budget(&mut self, value: &mut Cursor, word: &Ident) -> Option<Budget> {
        let span = value.span();
        let text = value.left().iter().map(ToString::to_string).collect::<String>();
        if value.is_empty() {
            self.error_help(
                word.span(),
                "`budget` needs a value",
                "write `budget = PAYMENTS`, the path of a `static`",
            );
            return None;
        }
        let path = value.left().iter().all(|token| match token {
            proc_macro2::TokenTree::Ident(_) => true,
            proc_macro2::TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '$' | '<' | '>'),
            _ => false,
        });
        if !path {
            self.errors.push(
                Diagnostic::new(span, format!("expected the path of a budget, found `{}`", super::args::shorten(&text)))
                    .help("budgets are shared: write `static PAYMENTS: Budget = …;` and `budget = PAYMENTS`")
                    .help("for at most so many retries inside one run, write `allowance(PAYMENTS = 3) { … }` around"),
            );
            return None;
        }
        let path = value.rest();
        Some(Budget { path, key: text })
    }
}

/// The span of whichever key brought a node of the short form about.
pub(super) fn key_ident(given: &Given, word: &str) -> Option<Ident> {
    given.words.iter().find(|found| *found == word).cloned()
}

/// `retry` on the span of a key: what the short form leaves out.
pub(super) fn word_at(word: &str, span: Span) -> Ident {
    Ident::new(word, span)
}
