//! What stands after an `=`: a literal, or an expression that is left as it is.

use std::time::Duration;

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use retry_planner::Factor;

use super::Parser;
use super::args::{example, shorten};
use crate::ast::{Takes, Value};
use crate::errors::Diagnostic;
use crate::literal::{self, Fault};
use crate::tokens::{Cursor, is_punct};

impl Parser {
    fn fault(&mut self, span: Span, fault: Fault) {
        let mut found = Diagnostic::new(span, fault.message);
        found.help.extend(fault.help);
        self.errors.push(found);
    }

    /// A duration; `what` is how the argument is written rightly.
    pub(super) fn duration(&mut self, value: &mut Cursor, word: Span, what: &str) -> Value<Duration> {
        self.value(
            value,
            word,
            what,
            literal::duration,
            Duration::from_secs(1),
            "{ LIMIT.saturating_mul(2) }",
        )
    }

    pub(super) fn count(&mut self, value: &mut Cursor, word: Span, what: &str) -> Value<u32> {
        self.value(value, word, what, literal::count, 1, "{ RETRIES + 1 }")
    }

    pub(super) fn factor(&mut self, value: &mut Cursor, word: Span, what: &str) -> Value<Factor> {
        self.value(value, word, what, literal::factor, Factor::whole(1), "{ FACTOR }")
    }

    pub(super) fn boolean(&mut self, value: &mut Cursor, word: Span, what: &str) -> Value<bool> {
        if let [TokenTree::Ident(ident)] = value.left()
            && (ident == "true" || ident == "false")
        {
            return Value::Literal(ident == "true", ident.span());
        }
        let expected = |text: &str| {
            Err(Fault {
                message: format!("expected `true` or `false`, found `{text}`"),
                help: None,
            })
        };
        self.value(value, word, what, expected, true, "{ IDEMPOTENT }")
    }

    fn value<T>(
        &mut self,
        value: &mut Cursor,
        word: Span,
        what: &str,
        read: impl Fn(&str) -> Result<T, Fault>,
        default: T,
        block: &str,
    ) -> Value<T> {
        let span = value.span();
        match value.left() {
            [] => {
                self.error_help(word, "a value is missing here", format!("write `{what}`"));
                Value::Literal(default, word)
            }
            [TokenTree::Literal(literal)] => match read(&literal.to_string()) {
                Ok(found) => Value::Literal(found, literal.span()),
                Err(fault) => {
                    let span = literal.span();
                    self.fault(span, fault);
                    Value::Literal(default, span)
                }
            },
            [TokenTree::Punct(minus), TokenTree::Literal(literal)] if minus.as_char() == '-' => {
                self.error_help(
                    span,
                    format!("a negative value, `-{literal}`, has no meaning here"),
                    format!("write `{what}`"),
                );
                Value::Literal(default, span)
            }
            [TokenTree::Punct(point), TokenTree::Literal(literal)] if point.as_char() == '.' => {
                let help = format!("write `0.{literal}`");
                self.error_help(span, "a number begins with a digit", help);
                Value::Literal(default, span)
            }
            [TokenTree::Literal(literal), TokenTree::Ident(unit)]
                if read(&format!("{literal}{unit}")).is_ok() =>
            {
                let help = format!("write `{literal}{unit}`");
                self.error_help(span, "a number and its unit are written together", help);
                Value::Literal(default, span)
            }
            [TokenTree::Literal(_), next, ..] => {
                let next = next.clone();
                self.errors.push(
                    Diagnostic::new(
                        next.span(),
                        format!(
                            "expected one value, found `{}` behind it",
                            shorten(&next.to_string())
                        ),
                    )
                    .help(format!(
                        "a value is a literal, a path, a call, or a block such as `{block}`"
                    )),
                );
                Value::Literal(default, span)
            }
            [first, ..] if starts_expression(first) => {
                let tokens = value.rest();
                match bad_literal(&tokens) {
                    Some(literal) => {
                        let help = duration_call(&literal);
                        self.error_help(
                            literal.span(),
                            format!(
                                "`{literal}` is a literal of the policy, and can't stand inside an expression"
                            ),
                            help,
                        );
                        Value::Literal(default, span)
                    }
                    None => Value::Expr(without_a_lint(tokens)),
                }
            }
            [first, ..] => {
                let found = shorten(&first.to_string());
                self.error_help(
                    span,
                    format!("expected a value, found `{found}`"),
                    format!("write `{what}`"),
                );
                Value::Literal(default, span)
            }
        }
    }

    /// `lo..=hi`, `hi`, `lo..`
    pub(super) fn takes(&mut self, value: &mut Cursor, word: &Ident) -> Takes {
        let what = example("takes");
        let tokens = value.left();
        let dots =
            (0..tokens.len()).find(|&n| is_punct(tokens.get(n), '.') && is_punct(tokens.get(n + 1), '.'));
        let Some(dots) = dots else {
            return Takes {
                min: None,
                max: Some(self.duration(value, word.span(), what)),
            };
        };
        let dots_span = tokens[dots].span();
        let mut low = Cursor::of(tokens[..dots].to_vec(), dots_span);
        let closed = is_punct(tokens.get(dots + 2), '=');
        let after = dots + 2 + usize::from(closed);
        let mut high = Cursor::of(tokens[after.min(tokens.len())..].to_vec(), value.end());
        let max = if high.is_empty() {
            if closed {
                self.error_help(dots_span, "`..=` needs its end", format!("write `{what}`"));
            }
            None
        } else {
            if !closed {
                self.error_help(dots_span, "the longest is part of `takes`", "write `..=`");
            }
            Some(self.duration(&mut high, word.span(), what))
        };
        let min = if low.is_empty() {
            None
        } else {
            Some(self.duration(&mut low, word.span(), what))
        };
        if min.is_none() && max.is_none() && !closed {
            self.error_help(dots_span, "`takes` needs an end", format!("write `{what}`"));
        }
        value.skip(usize::MAX / 2);
        Takes { min, max }
    }

    /// An expression or a path, left as it is.
    pub(super) fn expression(&mut self, value: &mut Cursor, word: &Ident) -> TokenStream {
        if value.is_empty() {
            let help = format!("write `{}`", example(&word.to_string()));
            self.error_help(word.span(), format!("`{word}` needs a value"), help);
        }
        value.rest()
    }

    /// One name.
    pub(super) fn name(&mut self, value: &mut Cursor, word: &Ident) -> Option<Ident> {
        let name = value.eat_ident();
        if name.is_none() || !value.is_empty() {
            let help = format!("write `{}`", example(&word.to_string()));
            let span = if name.is_none() && value.is_empty() {
                word.span()
            } else {
                value.span()
            };
            self.error_help(span, format!("`{word}` takes one name"), help);
        }
        name
    }
}

/// A value's braces are the macro's, so that rustc doesn't call them unnecessary.
fn without_a_lint(tokens: TokenStream) -> TokenStream {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Brace => {
            let mut block = Group::new(Delimiter::Brace, group.stream());
            block.set_span(Span::call_site().located_at(group.span()));
            TokenTree::Group(block).into()
        }
        _ => tokens,
    }
}

fn starts_expression(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(_) | TokenTree::Group(_) => true,
        TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '<' | '*' | '&' | '!' | '$'),
        TokenTree::Literal(_) => false,
    }
}

/// A literal with one of our units inside an expression; rustc would only say that its suffix is invalid.
fn bad_literal(tokens: &TokenStream) -> Option<Literal> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Literal(found) => {
            let text = found.to_string();
            let number = text.starts_with(|c: char| c.is_ascii_digit());
            (number && literal::duration(&text).is_ok()).then_some(found)
        }
        TokenTree::Group(group) => bad_literal(&group.stream()),
        _ => None,
    })
}

fn duration_call(literal: &Literal) -> String {
    let duration = literal::duration(&literal.to_string()).unwrap_or_default();
    let call = if duration.subsec_nanos() == 0 {
        format!("from_secs({})", duration.as_secs())
    } else if duration.subsec_nanos().is_multiple_of(1_000_000) {
        format!("from_millis({})", duration.as_millis())
    } else if duration.subsec_nanos().is_multiple_of(1_000) {
        format!("from_micros({})", duration.as_micros())
    } else {
        format!("from_nanos({})", duration.as_nanos())
    };
    format!("write `Duration::{call}`")
}
