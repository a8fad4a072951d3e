//! Policies as text outside of a compiler: read from files, and written back.

mod calls;
mod print;

use std::fmt;

use proc_macro2::{Ident, LexError, Span, TokenStream};
use retry_planner::{Level, Lint, Plan, Policy};

use crate::ast::{LevelAttr, NamedPolicy, Node, NodeKind, first_span};
use crate::errors::{Diagnostic, Errors};
use crate::lower::{OwnedCallee, OwnedPolicy};
use crate::parse;

pub use print::print;

/// The policies of one text, each with the line that it begins on.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// In the order of the text.
    pub policies: Vec<FilePolicy>,
}

/// One policy of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePolicy {
    /// The policy.
    pub policy: OwnedPolicy,
    /// The line of its name, from 1.
    pub line: usize,
    /// The line and column of each node's word, by index.
    pub places: Vec<(usize, usize)>,
    /// What is written behind the words that take code, which the planner's tree only knows to be there.
    pub hooks: Vec<Hook>,
    /// What is expected by `#[expect]`, and what is said where it isn't found.
    pub expected: Vec<Expected>,
}

/// A word that takes code, such as `when`, and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The node, by index.
    pub node: usize,
    /// `when`, `until`, `on_retry`, `retry_after` or `idempotency_key`.
    pub word: &'static str,
    /// What is written, without white space.
    pub code: String,
    /// The line of what is written, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
}

/// An `#[expect]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The node that it stands on, by index.
    pub node: usize,
    /// The finding.
    pub lint: Lint,
    /// The line of the finding's name, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// What is said where it isn't found.
    pub message: String,
}

/// A fault in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Vec<String>,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        self.help
            .iter()
            .try_for_each(|help| write!(f, "\n  help: {help}"))
    }
}

impl std::error::Error for TextError {}

/// Reads a text as [`parse_str_with`] does, where callers see the plans of their callees.
///
/// # Errors
/// All faults of the text, in its order.
pub fn parse_str(text: &str) -> Result<File, Vec<TextError>> {
    parse_str_with(text, &|policy| OwnedCallee::of(&Plan::of(policy).callee()))
}

/// Reads a text of named policies (`struct Charge { … }`) and perhaps a tree without a name at its end, which is then called
/// `policy`.
///
/// Values are literals: a text has no constants. `call(Name)` runs another policy of the same text, of which the caller sees
/// what `plan` makes of it.
///
/// # Errors
/// All faults of the text, in its order.
pub fn parse_str_with(text: &str, plan: &dyn Fn(&Policy<'_>) -> OwnedCallee) -> Result<File, Vec<TextError>> {
    parse_str_under(text, &[], plan)
}

/// Reads a text as [`parse_str_with`] does, where other levels than the default ones are in force around it.
///
/// # Errors
/// All faults of the text, in its order.
pub fn parse_str_under(
    text: &str,
    levels: &[(Lint, Level)],
    plan: &dyn Fn(&Policy<'_>) -> OwnedCallee,
) -> Result<File, Vec<TextError>> {
    let tokens: TokenStream = text.parse().map_err(|error| vec![lexed(&error)])?;
    let (mut policies, mut errors) = parse::policies(tokens);
    for policy in &mut policies {
        let around = levels.iter().map(|&(lint, level)| LevelAttr {
            level,
            lint,
            word: Ident::new(lint.name(), Span::call_site()),
            reason: None,
        });
        policy.levels.splice(0..0, around);
    }
    if policies.is_empty() && errors.is_empty() {
        errors.push(
            Diagnostic::new(Span::call_site(), "this text holds no policy").help("write `struct Name { … }`"),
        );
    }
    let found = lower_all(&policies, plan, &mut errors);
    if errors.is_empty() {
        Ok(File { policies: found })
    } else {
        Err(errors.all().iter().map(placed).collect())
    }
}

/// Lowers the policies, callees first.
fn lower_all(
    policies: &[NamedPolicy],
    plan: &dyn Fn(&Policy<'_>) -> OwnedCallee,
    errors: &mut Errors,
) -> Vec<FilePolicy> {
    let done = calls::lowered(policies, plan, errors);
    policies
        .iter()
        .zip(done)
        .filter_map(|(written, policy)| {
            let places = written
                .root
                .preorder()
                .iter()
                .map(|node| place(node.keyword.span()))
                .collect();
            Some(FilePolicy {
                policy: policy?,
                line: place(written.ident.span()).0,
                places,
                hooks: hooks(&written.root),
                expected: expected(written),
            })
        })
        .collect()
}

fn hooks(root: &Node) -> Vec<Hook> {
    let mut found = Vec::new();
    for node in root.preorder() {
        let mut add = |word, code: Option<&TokenStream>| {
            found.extend(code.map(|code| {
                let (line, column) = place(first_span(code));
                Hook {
                    node: node.index,
                    word,
                    code: code.to_string().split_whitespace().collect(),
                    line,
                    column,
                }
            }));
        };
        match &node.kind {
            NodeKind::Attempt(attempt) => {
                let key = attempt.key.as_ref();
                add("idempotency_key", key.and_then(|key| key.expr.as_ref()));
            }
            NodeKind::Retry(retry) => {
                add("when", retry.when.as_ref());
                add("until", retry.until.as_ref());
                add("on_retry", retry.on_retry.as_ref());
                add("retry_after", retry.retry_after.as_ref());
            }
            _ => {}
        }
    }
    found
}

fn expected(written: &NamedPolicy) -> Vec<Expected> {
    written
        .root
        .expected(&written.levels)
        .map(|(attr, node)| {
            let (line, column) = place(attr.word.span());
            Expected {
                node,
                lint: attr.lint,
                line,
                column,
                message: attr.unfulfilled(),
            }
        })
        .collect()
}

fn place(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column + 1)
}

fn placed(fault: &Diagnostic) -> TextError {
    let (line, column) = place(fault.span);
    TextError {
        line,
        column,
        message: fault.message.clone(),
        help: fault.help.clone(),
    }
}

fn lexed(error: &LexError) -> TextError {
    let (line, column) = place(error.span());
    TextError {
        line,
        column,
        message: "this can't be read: a bracket or a quote isn't closed, or a character isn't known"
            .to_owned(),
        help: Vec::new(),
    }
}
