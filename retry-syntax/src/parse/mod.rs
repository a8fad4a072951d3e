//! From tokens to the tree.
//!
//! `forms` knows what a whole input looks like, `node` one node and its children, `keys` the arguments, `value` and
//! `backoff` what stands after an `=`, `operation` the user's code, `levels` the attributes. None of them stops at a
//! fault: it is noted, a harmless part takes the place of the bad one, and parsing goes on behind it.

mod args;
mod backoff;
mod forms;
mod keys;
mod levels;
mod node;
mod operation;
mod value;

use proc_macro2::{Ident, Span, TokenStream};

use crate::ast::{Attempt, Input, NamedPolicy, Node, NodeKind, RetryArgs};
use crate::errors::{Diagnostic, Errors};
use crate::tokens::Cursor;

/// Where a tree stands: this decides whether its leaves hold code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// In a named policy, whose operations come when it is run.
    Named,
    /// In place.
    Place,
    /// In `#[retry(…)]`, whose only operation is the function's body.
    Function,
}

/// No policy that a person writes nests deeper, and every level takes stack.
const DEEPEST: usize = 200;

struct Parser {
    errors: Errors,
    home: Home,
    depth: usize,
    /// Whether the node that was read last lacks its end, so that one error is enough for it.
    unfinished: bool,
}

impl Parser {
    fn new(home: Home) -> Self {
        Self {
            errors: Errors::new(),
            home,
            depth: 0,
            unfinished: false,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::new(span, message));
    }

    fn error_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(Diagnostic::new(span, message).help(help));
    }
}

/// Reads what stands in `retry_policy! { … }`. Without an input there is at least one fault.
#[must_use]
pub fn policy(tokens: TokenStream) -> (Option<Input>, Errors) {
    let mut parser = Parser::new(Home::Place);
    let mut cursor = Cursor::new(tokens, Span::call_site());
    let input = parser.input(&mut cursor);
    finish(parser, input)
}

/// Reads named policies only, as a policy file holds them; a tree without a name at its end is called `policy`.
#[must_use]
pub fn policies(tokens: TokenStream) -> (Vec<NamedPolicy>, Errors) {
    let mut parser = Parser::new(Home::Named);
    let mut cursor = Cursor::new(tokens, Span::call_site());
    let policies = parser.file(&mut cursor);
    let (policies, errors) = finish(parser, Some(Input::Policies(policies)));
    match policies {
        Some(Input::Policies(policies)) => (policies, errors),
        _ => (Vec::new(), errors),
    }
}

/// Reads the arguments of `#[retry(…)]` and the attributes beside it; what isn't ours comes back to stand on the function.
#[must_use]
pub fn function(
    arguments: TokenStream,
    attributes: Vec<TokenStream>,
) -> (RetryArgs, Vec<TokenStream>, Errors) {
    let mut parser = Parser::new(Home::Function);
    let mut cursor = Cursor::new(arguments, Span::call_site());
    let mut args = parser.retry_args(&mut cursor);
    let mut rest = Vec::new();
    for attribute in attributes {
        let mut cursor = Cursor::new(attribute.clone(), Span::call_site());
        match cursor.attributes().pop() {
            Some((hash, group)) => args
                .levels
                .extend(parser.level_attribute(&hash, &group, &mut rest)),
            None => rest.push(attribute),
        }
    }
    if let crate::ast::FnPolicy::Tree(root) = &mut args.policy {
        number(root, 0);
        crate::validate::tree(root, &mut parser.errors);
    }
    (args, rest, parser.errors)
}

fn finish(mut parser: Parser, mut input: Option<Input>) -> (Option<Input>, Errors) {
    match &mut input {
        Some(Input::Policies(policies)) => {
            for policy in policies {
                number(&mut policy.root, 0);
                crate::validate::named(&policy.root, &mut parser.errors);
                if !parser.errors.is_empty() {
                    distinct(&mut policy.root, &mut Vec::new());
                }
            }
        }
        Some(Input::InPlace(place)) => {
            number(&mut place.root, 0);
            crate::validate::tree(&place.root, &mut parser.errors);
            if !parser.errors.is_empty() {
                distinct(&mut place.root, &mut Vec::new());
            }
        }
        Some(Input::RunNamed(_)) | None => {}
    }
    (input, parser.errors)
}

/// Gives each node its place in preorder, and its size.
fn number(node: &mut Node, index: usize) -> usize {
    node.index = index;
    let mut next = index + 1;
    for child in node.kind.children_mut() {
        next = number(child, next);
    }
    node.size = next - index;
    next
}

/// Gives a second bearer of a name, which has been told of, a name of its own: what is made of it shall not clash.
fn distinct(node: &mut Node, taken: &mut Vec<String>) {
    if let Some(name) = &mut node.name {
        let text = name.to_string();
        if taken.contains(&text) {
            *name = Ident::new(&format!("again_{}", taken.len()), name.span());
        }
        taken.push(text);
    }
    for child in node.kind.children_mut() {
        distinct(child, taken);
    }
}

/// What stands where a node couldn't be read.
fn placeholder(span: Span) -> Node {
    leaf(Ident::new("attempt", span))
}

fn leaf(keyword: Ident) -> Node {
    let attempt = Attempt {
        bound: None,
        takes: None,
        idempotent: None,
        key: None,
        operation: None,
    };
    bare(keyword, NodeKind::Attempt(attempt))
}

fn bare(keyword: Ident, kind: NodeKind) -> Node {
    Node {
        index: 0,
        size: 1,
        name: None,
        keyword,
        words: Vec::new(),
        levels: Vec::new(),
        attrs: Vec::new(),
        kind,
    }
}
