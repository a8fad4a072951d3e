//! From source text to the policies that are written in it.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use retry_syntax::Errors;
use retry_syntax::ast::{FnPolicy, Input, LevelAttr, Node};
use retry_syntax::parse;
use retry_syntax::text::Expected;

use crate::plan::read::MAX_NODES;

/// Deeper brackets are no code that anyone wrote.
const MAX_DEPTH: usize = 256;

/// Longer files are no code that anyone wrote.
const MAX_TEXT: usize = 512 << 10;

/// All that was found.
#[derive(Default)]
pub(super) struct Found {
    /// Policies and functions, in the order of the files.
    pub(super) policies: Vec<Policy>,
    /// Files or policies that couldn't be read, with the reason.
    pub(super) skipped: Vec<String>,
}

/// A policy as it was written.
pub(super) struct Policy {
    pub(super) file: String,
    pub(super) line: usize,
    /// `policy`, `in place` or `function`.
    pub(super) form: &'static str,
    pub(super) name: String,
    pub(super) tree: Tree,
}

/// What is written.
pub(super) enum Tree {
    /// A tree of its own.
    Own(Box<Own>),
    /// The name of a policy that is run.
    Named(String),
}

/// A tree, and where its parts stand.
pub(super) struct Own {
    pub(super) levels: Vec<LevelAttr>,
    pub(super) root: Node,
    pub(super) places: Vec<(usize, usize)>,
    pub(super) expected: Vec<Expected>,
    /// What a function says it calls: figures of other crates and functions.
    pub(super) calls: usize,
}

/// Whether a text can hold a policy at all.
pub(super) fn may_hold(text: &str) -> bool {
    text.contains("retry_policy") || text.contains("retry(") || text.contains("retry (")
}

/// The last word of a path: policies are found by name.
pub(super) fn last_word(path: &TokenStream) -> String {
    match path.clone().into_iter().last() {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    }
}

impl Found {
    /// Adds what the text of one file holds, or why it can't be read.
    pub(super) fn source(&mut self, text: &str, name: &str) {
        if text.len() > MAX_TEXT {
            self.skipped
                .push(format!("{name}: more than {} KiB", MAX_TEXT >> 10));
        } else if too_deep(text) {
            let why = format!("{name}: nested more than {MAX_DEPTH} levels deep");
            self.skipped.push(why);
        } else {
            match text.parse::<TokenStream>() {
                Ok(tokens) => Scan { name, found: self }.tokens(tokens),
                Err(error) => self.skipped.push(format!("{name}: {error}")),
            }
        }
    }
}

/// Brackets in strings and comments count too, which only skips files that nobody wrote.
fn too_deep(text: &str) -> bool {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest > MAX_DEPTH
}

struct Scan<'a> {
    name: &'a str,
    found: &'a mut Found,
}

impl Scan<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            let TokenTree::Group(group) = tree else { continue };
            if at >= 2 && is_word(&trees[at - 2], "retry_policy") && is_mark(&trees[at - 1], '!') {
                self.policy(group.stream());
            } else if at >= 1 && is_mark(&trees[at - 1], '#') && group.delimiter() == Delimiter::Bracket {
                self.attribute(group.stream(), &trees[at + 1..]);
            } else {
                self.tokens(group.stream());
            }
        }
    }

    fn policy(&mut self, tokens: TokenStream) {
        let (input, errors) = parse::policy(tokens);
        if self.refuse(&errors) {
            return;
        }
        match input {
            Some(Input::Policies(policies)) => {
                for policy in policies {
                    let place = place(policy.ident.span());
                    self.own(
                        "policy",
                        &policy.ident.to_string(),
                        place,
                        policy.levels,
                        policy.root,
                        0,
                    );
                }
            }
            Some(Input::InPlace(there)) => {
                let place = place(there.root.keyword.span());
                self.own("in place", "policy", place, there.levels, there.root, 0);
            }
            // The policy is found where it is written.
            Some(Input::RunNamed(_)) | None => {}
        }
    }

    /// `#[retry(…)]` with what follows it.
    fn attribute(&mut self, attribute: TokenStream, rest: &[TokenTree]) {
        let parts: Vec<TokenTree> = attribute.into_iter().collect();
        // `retry` or `retry_plan::retry`, and its arguments.
        let [path @ .., TokenTree::Group(arguments)] = parts.as_slice() else {
            return;
        };
        let ours = path.last().is_some_and(|word| is_word(word, "retry"))
            && (path.len() == 1 || path.first().is_some_and(|word| is_word(word, "retry_plan")));
        if !ours || arguments.delimiter() != Delimiter::Parenthesis {
            return;
        }
        let function = rest.windows(2).find(|pair| is_word(&pair[0], "fn"));
        let Some(TokenTree::Ident(function)) = function.map(|pair| &pair[1]) else {
            return;
        };
        let mut attributes = Vec::new();
        for pair in rest.windows(2) {
            if is_word(&pair[0], "fn") {
                break;
            }
            if is_mark(&pair[0], '#') {
                attributes.push(pair.iter().cloned().collect());
            }
        }
        let (arguments, _, errors) = parse::function(arguments.stream(), attributes);
        if self.refuse(&errors) {
            return;
        }
        let (name, place) = (function.to_string(), place(function.span()));
        match arguments.policy {
            FnPolicy::Tree(root) => {
                let calls = arguments.calls.len();
                self.own("function", &name, place, arguments.levels, root, calls);
            }
            FnPolicy::Named(path) => self.add("function", &name, place.0, Tree::Named(last_word(&path))),
        }
    }

    /// Whether there were faults; the compiler shows them better.
    fn refuse(&mut self, errors: &Errors) -> bool {
        if let Some(first) = errors.all().first() {
            let line = first.span.start().line;
            let why = format!("{}:{line}: {}", self.name, first.message);
            self.found.skipped.push(why);
        }
        !errors.is_empty()
    }

    fn own(
        &mut self,
        form: &'static str,
        name: &str,
        (line, _): (usize, usize),
        levels: Vec<LevelAttr>,
        root: Node,
        calls: usize,
    ) {
        let nodes = root.preorder();
        if nodes.len() > MAX_NODES {
            let why = format!("{}:{line}: more than {MAX_NODES} nodes", self.name);
            self.found.skipped.push(why);
            return;
        }
        let places = nodes.iter().map(|node| place(node.keyword.span())).collect();
        let expected = root
            .expected(&levels)
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
            .collect();
        let tree = Own {
            levels,
            root,
            places,
            expected,
            calls,
        };
        self.add(form, name, line, Tree::Own(Box::new(tree)));
    }

    fn add(&mut self, form: &'static str, name: &str, line: usize, tree: Tree) {
        self.found.policies.push(Policy {
            file: self.name.to_owned(),
            line,
            form,
            name: name.to_owned(),
            tree,
        });
    }
}

/// The line and the column, both from 1.
fn place(span: Span) -> (usize, usize) {
    (span.start().line, span.start().column + 1)
}

fn is_word(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if ident == word)
}

fn is_mark(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}
