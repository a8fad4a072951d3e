//! One node: its attributes, name, word, arguments, and what it holds.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use super::args::{Arg, Given, shorten};
use super::keys::{AttemptKeys, HedgeKeys, RetryKeys};
use super::{DEEPEST, Home, Parser, bare, leaf, operation, placeholder};
use crate::ast::{Allowance, Attempt, Budget, Call, LevelAttr, Limit, Node, NodeKind, Value};
use crate::errors::Diagnostic;
use crate::tokens::{Cursor, List, split};
use crate::words::{self, NODES, Place};

impl Parser {
    /// A node made of all that is left.
    pub(super) fn node(&mut self, cursor: &mut Cursor) -> Node {
        let (mut levels, mut attrs) = self.node_attributes(cursor);
        let mut name = None;
        if cursor.ident_at(0).is_some() && cursor.is_colon(1) {
            name = cursor.eat_ident();
            cursor.skip(1);
            let (more_levels, more_attrs) = self.node_attributes(cursor);
            levels.extend(more_levels);
            attrs.extend(more_attrs);
        }
        let Some(keyword) = cursor.eat_ident() else {
            self.not_a_node(cursor, name.as_ref());
            let mut node = placeholder(cursor.span());
            node.name = name;
            return node;
        };
        let mut node = if self.depth >= DEEPEST {
            self.error(
                keyword.span(),
                format!("a policy nests at most {DEEPEST} levels deep"),
            );
            leaf(keyword)
        } else {
            self.depth += 1;
            let before = self.errors.all().len();
            let node = self.worded(keyword, cursor);
            if std::mem::take(&mut self.unfinished) {
                self.errors.keep_first(before);
            }
            self.depth -= 1;
            node
        };
        node.name = name;
        node.levels = levels;
        node.attrs = attrs;
        node
    }

    fn not_a_node(&mut self, cursor: &Cursor, name: Option<&Ident>) {
        let (span, found) = match (cursor.peek(), name) {
            (Some(token), _) => (token.span(), format!(", found `{}`", shorten(&token.to_string()))),
            (None, Some(name)) => (name.span(), format!(" behind `{name}:`")),
            (None, None) => (cursor.span(), String::new()),
        };
        self.error_help(
            span,
            format!("expected a node{found}"),
            "such as `attempt(500ms)` or `retry(attempts = 3) { … }`",
        );
    }

    /// Levels of our findings, and the attributes that are passed on.
    fn node_attributes(&mut self, cursor: &mut Cursor) -> (Vec<LevelAttr>, Vec<TokenStream>) {
        let (mut levels, mut attrs) = (Vec::new(), Vec::new());
        for (hash, group) in cursor.attributes() {
            let word = Cursor::inside(&group).ident_at(0).cloned();
            if let Some(word) = word.filter(|word| word == "cfg" || word == "cfg_attr") {
                self.error_help(
                    word.span(),
                    format!("`{word}` can't stand on a node: the policy is planned before it is known"),
                    "put it on two policies",
                );
                continue;
            }
            levels.extend(self.level_attribute(&hash, &group, &mut attrs));
        }
        (levels, attrs)
    }

    fn worded(&mut self, keyword: Ident, cursor: &mut Cursor) -> Node {
        let text = keyword.to_string();
        let told = self.errors.all().len();
        let word = match NODES.iter().find(|node| **node == text) {
            Some(word) => *word,
            None => self.unknown_node(&keyword, cursor),
        };
        let args = cursor.eat_group(Delimiter::Parenthesis);
        match word {
            "attempt" => self.attempt(keyword, args.as_ref(), cursor, told),
            "call" => self.call(keyword, args.as_ref(), cursor, told),
            "timeout" | "deadline" => {
                let limit = self.one_duration(word, &keyword, args.as_ref());
                let child = Box::new(self.child(word, &keyword, cursor));
                let limit = Limit { limit, child };
                bare(
                    keyword,
                    if word == "timeout" {
                        NodeKind::Timeout(limit)
                    } else {
                        NodeKind::Deadline(limit)
                    },
                )
            }
            "retry" => self.retry(keyword, args.as_ref(), cursor),
            "hedge" => self.hedge(keyword, args.as_ref(), cursor),
            "allowance" => self.allowance(keyword, args.as_ref(), cursor),
            _ => self.composition(word, keyword, args.as_ref(), cursor),
        }
    }

    /// Notes an unknown word and gives the one that it is read as.
    fn unknown_node(&mut self, keyword: &Ident, cursor: &Cursor) -> &'static str {
        let text = keyword.to_string();
        let fault = Diagnostic::new(keyword.span(), format!("there is no node `{text}`"));
        let near = words::nearest(&text, NODES).and_then(|near| NODES.into_iter().find(|node| *node == near));
        let (fault, read_as) = if let Some(alias) = words::node_alias(&text) {
            (fault.help(format!("it is called `{alias}` here")), Some(alias))
        } else if let Some(near) = near {
            (fault.help(format!("did you mean `{near}`?")), Some(near))
        } else {
            (
                fault.help(format!("the nodes are {}", super::args::list(&NODES))),
                None,
            )
        };
        self.errors.push(fault);
        // Without a word to read it as, its children are still looked at.
        read_as.unwrap_or_else(|| {
            let holds = (0..2).any(|n| cursor.group_at(n, Delimiter::Brace).is_some());
            if holds { "unknown" } else { "unknown leaf" }
        })
    }

    /// The one node between the braces.
    fn child(&mut self, word: &str, keyword: &Ident, cursor: &mut Cursor) -> Node {
        let Some(group) = cursor.eat_group(Delimiter::Brace) else {
            self.no_block(word, keyword, cursor);
            return self.stray_child(keyword, cursor);
        };
        self.nothing_left(word, cursor);
        let inside = Cursor::inside(&group);
        let parts = split(&inside, List::Children, &mut self.errors);
        let many = parts.len() > 1;
        let mut parts = parts.into_iter();
        let Some(mut first) = parts.next() else {
            self.error_help(
                keyword.span(),
                format!("this `{word}` holds nothing"),
                format!(
                    "write what it holds: `{} {{ attempt(500ms) }}`",
                    head_example(word)
                ),
            );
            return placeholder(keyword.span());
        };
        let child = self.node(&mut first);
        if many {
            let second = parts.next().map_or_else(|| keyword.span(), |part| part.span());
            self.error_help(
                second,
                format!("`{word}` holds one node"),
                "put them into one: `series { a: …, b: … }`, `parallel { … }`, `fallback { … }` or `race { … }`",
            );
        }
        child
    }

    fn no_block(&mut self, word: &str, keyword: &Ident, cursor: &Cursor) {
        self.unfinished = cursor.is_empty();
        let span = if cursor.is_empty() {
            keyword.span()
        } else {
            cursor.span()
        };
        self.error_help(
            span,
            format!("`{word}` needs what it holds, between braces"),
            format!("write `{} {{ attempt(500ms) }}`", head_example(word)),
        );
    }

    /// `retry(attempts = 3) attempt(500ms)`: read as if the braces stood there.
    fn stray_child(&mut self, keyword: &Ident, cursor: &mut Cursor) -> Node {
        let node = cursor
            .ident_at(0)
            .is_some_and(|word| NODES.iter().any(|node| word == node));
        if node {
            return self.node(cursor);
        }
        let mut child = placeholder(keyword.span());
        if operation::begins(cursor)
            && let NodeKind::Attempt(attempt) = &mut child.kind
        {
            attempt.operation = Some(self.operation(cursor));
        }
        cursor.rest();
        child
    }

    fn nothing_left(&mut self, word: &str, cursor: &mut Cursor) {
        if cursor.is_empty() {
            return;
        }
        let span = cursor.span();
        if operation::begins(cursor) {
            self.error_help(
                span,
                format!("`{word}` has no code of its own"),
                "the operation stands behind an `attempt`: `attempt(500ms) async |cx| { … }`",
            );
        } else {
            let found = cursor
                .peek()
                .map(|token| shorten(&token.to_string()))
                .unwrap_or_default();
            self.error(
                span,
                format!("nothing was expected behind `{word}`, found `{found}`"),
            );
        }
        cursor.rest();
    }

    fn attempt(&mut self, keyword: Ident, args: Option<&Group>, cursor: &mut Cursor, told: usize) -> Node {
        let mut keys = AttemptKeys::default();
        let mut given = Given::default();
        for mut arg in args
            .map(|group| self.args(&Cursor::inside(group)))
            .unwrap_or_default()
        {
            let word = arg.name.clone().or_else(|| arg.lone());
            let known = word
                .as_ref()
                .is_some_and(|word| words::ATTEMPT.iter().any(|known| word == known));
            if let Some(word) = word.filter(|_| known) {
                if self.once(&mut given, &word) && !keys.take(self, &mut arg) {
                    self.unknown(Place::Attempt, &mut given, &arg);
                }
            } else if arg.name.is_some() {
                self.unknown(Place::Attempt, &mut given, &arg);
            } else if keys.bound.is_some() {
                self.second_bound(&arg);
            } else {
                keys.bound = Some(self.duration(&mut arg.value, keyword.span(), "attempt(500ms)"));
            }
        }
        let operation = self.leaf_operation(&keyword, cursor, told);
        let words = given.words;
        let attempt = Attempt {
            bound: keys.bound,
            takes: keys.takes,
            idempotent: keys.idempotent,
            key: keys.key,
            operation,
        };
        Node {
            words,
            ..bare(keyword, NodeKind::Attempt(attempt))
        }
    }

    fn second_bound(&mut self, arg: &Arg) {
        let found = shorten(&arg.value.clone().rest().to_string());
        self.error_help(
            arg.span,
            "an attempt has one bound",
            format!("for what it is declared to take, write `takes = {found}`"),
        );
    }

    fn call(&mut self, keyword: Ident, args: Option<&Group>, cursor: &mut Cursor, told: usize) -> Node {
        let mut policy = args.map(|group| Cursor::inside(group).rest()).unwrap_or_default();
        if policy.is_empty() {
            self.error_help(
                keyword.span(),
                "`call` needs the policy that it runs",
                "write `call(path::Policy)`",
            );
            policy = TokenStream::new();
        } else if let Some(token) = policy.clone().into_iter().find(|token| {
            matches!(token, TokenTree::Literal(_))
                || matches!(token, TokenTree::Punct(p) if matches!(p.as_char(), '=' | '.'))
        }) {
            self.error_help(
                token.span(),
                "`call` takes the path of a policy, and nothing else",
                "write `call(path::Policy)`",
            );
            policy = TokenStream::new();
        }
        let operation = self.leaf_operation(&keyword, cursor, told);
        if policy.is_empty() {
            let mut node = leaf(keyword);
            if let NodeKind::Attempt(attempt) = &mut node.kind {
                attempt.operation = operation;
            }
            return node;
        }
        bare(keyword, NodeKind::Call(Call { policy, operation }))
    }

    /// The code of a leaf, where `told` faults were known before the leaf began.
    fn leaf_operation(
        &mut self,
        keyword: &Ident,
        cursor: &mut Cursor,
        told: usize,
    ) -> Option<crate::ast::Operation> {
        if self.home != Home::Place {
            if !cursor.is_empty() {
                let span = cursor.span();
                let (what, help) = match self.home {
                    Home::Function => (
                        "the operation of a `#[retry]` function is its body",
                        "write the attempt without code",
                    ),
                    _ => (
                        "the operation of a named policy is given where it runs",
                        "write the attempt without code, and `Policy::run(async |cx| { … })` where it runs",
                    ),
                };
                if operation::begins(cursor) || cursor.group_at(0, Delimiter::Brace).is_some() {
                    self.error_help(span, what, help);
                    cursor.rest();
                } else {
                    self.nothing_left(&keyword.to_string(), cursor);
                }
            }
            return None;
        }
        if cursor.is_empty() {
            // A leaf that is still being typed has one error: that of what stands there.
            if self.errors.all().len() > told {
                return None;
            }
            self.error_help(
                keyword.span(),
                format!("this `{keyword}` has no operation: a policy in place holds its code"),
                "write `attempt(500ms) async |cx| { … }`; outside of a function, a policy has a name: `struct Name { … }`",
            );
            return None;
        }
        if let Some(group) = cursor.group_at(0, Delimiter::Brace) {
            let span = group.span_open();
            self.error_help(
                span,
                "an operation is a closure, for it may run more than once",
                "write `async |cx| { … }`",
            );
            let body = cursor.rest();
            return Some(crate::ast::Operation::Closure(crate::ast::Closure {
                whole: body.clone(),
                async_token: Some(Ident::new("async", span)),
                move_token: None,
                param: TokenTree::Ident(Ident::new("_", span)).into(),
                output: None,
                body,
            }));
        }
        Some(self.operation(cursor))
    }

    fn one_duration(
        &mut self,
        word: &str,
        keyword: &Ident,
        args: Option<&Group>,
    ) -> Value<std::time::Duration> {
        let what = head_example(word);
        let Some(group) = args else {
            self.error_help(
                keyword.span(),
                format!("`{word}` needs a duration"),
                format!("write `{what} {{ … }}`"),
            );
            return Value::Literal(std::time::Duration::MAX, keyword.span());
        };
        let mut args = self.args(&Cursor::inside(group)).into_iter();
        let Some(mut arg) = args.next() else {
            self.error_help(
                keyword.span(),
                format!("`{word}` needs a duration"),
                format!("write `{what} {{ … }}`"),
            );
            return Value::Literal(std::time::Duration::MAX, keyword.span());
        };
        if let Some(name) = &arg.name {
            let value = arg.value.clone().rest().to_string();
            self.error_help(
                name.span(),
                format!("`{word}` has no argument `{name}`"),
                format!("write its duration without a name: `{word}({value})`"),
            );
            return Value::Literal(std::time::Duration::MAX, keyword.span());
        }
        let limit = self.duration(&mut arg.value, keyword.span(), what);
        if let Some(more) = args.next() {
            self.error_help(
                more.span,
                format!("`{word}` takes one duration"),
                format!("write `{what} {{ … }}`"),
            );
        }
        limit
    }

    /// Reads arguments by name: each known one goes to `take` the first time that it stands.
    fn given(
        &mut self,
        args: Option<&Group>,
        place: Place,
        known: &[&str],
        mut take: impl FnMut(&mut Self, &mut Arg),
    ) -> Given {
        let mut given = Given::default();
        for mut arg in args
            .map(|group| self.args(&Cursor::inside(group)))
            .unwrap_or_default()
        {
            match arg
                .name
                .clone()
                .filter(|word| known.iter().any(|known| word == known))
            {
                Some(word) => {
                    if self.once(&mut given, &word) {
                        take(self, &mut arg);
                    }
                }
                None => self.unknown(place, &mut given, &arg),
            }
        }
        given
    }

    fn retry(&mut self, keyword: Ident, args: Option<&Group>, cursor: &mut Cursor) -> Node {
        let mut keys = RetryKeys::default();
        let given = self.given(args, Place::Retry, &words::RETRY, |parser, arg| {
            keys.take(parser, arg);
        });
        let child = self.child("retry", &keyword, cursor);
        let retry = keys.build(self, &given, &keyword, child);
        Node {
            words: given.words,
            ..bare(keyword, NodeKind::Retry(retry))
        }
    }

    fn hedge(&mut self, keyword: Ident, args: Option<&Group>, cursor: &mut Cursor) -> Node {
        let mut keys = HedgeKeys::default();
        let given = self.given(args, Place::Hedge, &words::HEDGE, |parser, arg| {
            keys.take(parser, arg);
        });
        let child = self.child("hedge", &keyword, cursor);
        let hedge = keys.build(self, &given, &keyword, child);
        Node {
            words: given.words,
            ..bare(keyword, NodeKind::Hedge(hedge))
        }
    }

    fn allowance(&mut self, keyword: Ident, args: Option<&Group>, cursor: &mut Cursor) -> Node {
        let what = "allowance(PAYMENTS = 3)";
        let mut inside = args.map_or_else(|| Cursor::new(TokenStream::new(), keyword.span()), Cursor::inside);
        let equals = (0..inside.left().len()).find(|&n| inside.is_assign(n));
        let (budget, limit) = match equals {
            Some(n) if n > 0 => {
                let mut path = Cursor::of(inside.left()[..n].to_vec(), inside.span());
                inside.skip(n + 1);
                let budget = self.budget(&mut path, &keyword);
                let comma = split(&inside, List::Args, &mut self.errors);
                let mut parts = comma.into_iter();
                let mut value = parts.next().unwrap_or_else(|| inside.clone());
                let limit = self.count(&mut value, keyword.span(), what);
                if let Some(more) = parts.next() {
                    self.error_help(
                        more.span(),
                        "an allowance has one key",
                        "nest another: `allowance(A = 3) { allowance(B = 2) { … } }`",
                    );
                }
                (budget, limit)
            }
            _ => {
                let span = if inside.is_empty() {
                    keyword.span()
                } else {
                    inside.span()
                };
                self.error_help(
                    span,
                    "an allowance names a budget and how much of it may be used inside",
                    format!("write `{what} {{ … }}`"),
                );
                (None, Value::Literal(u32::MAX, keyword.span()))
            }
        };
        let budget = budget.unwrap_or_else(|| Budget {
            path: TokenTree::Ident(keyword.clone()).into(),
            key: String::new(),
        });
        let child = Box::new(self.child("allowance", &keyword, cursor));
        bare(keyword, NodeKind::Allowance(Allowance { budget, limit, child }))
    }

    fn composition(&mut self, word: &str, keyword: Ident, args: Option<&Group>, cursor: &mut Cursor) -> Node {
        let known = NODES.contains(&word);
        if known && let Some(group) = args {
            let what = if word == "series" { "steps" } else { "branches" };
            self.error_help(
                group.span_open(),
                format!("`{word}` has no arguments"),
                format!("write its {what} between braces: `{word} {{ a: …, b: … }}`"),
            );
        }
        let Some(group) = cursor.eat_group(Delimiter::Brace) else {
            if known {
                let span = if cursor.is_empty() {
                    keyword.span()
                } else {
                    cursor.span()
                };
                self.unfinished = cursor.is_empty();
                self.error_help(
                    span,
                    format!("`{word}` needs what it holds, between braces"),
                    format!("write `{word} {{ a: attempt(500ms), b: attempt(500ms) }}`"),
                );
            }
            return self.stray_child(&keyword, cursor);
        };
        if known {
            self.nothing_left(word, cursor);
        }
        let inside = Cursor::inside(&group);
        let parts = split(&inside, List::Children, &mut self.errors);
        let mut children = Vec::with_capacity(parts.len());
        for mut part in parts {
            let span = part.span();
            let before = self.errors.all().len();
            let child = self.node(&mut part);
            if known && child.name.is_none() && self.errors.all().len() == before {
                let what = if word == "series" { "step" } else { "branch" };
                self.error_help(
                    span,
                    format!("each {what} of `{word}` has a name"),
                    format!("write `name: {} …`", child.keyword),
                );
            }
            children.push(child);
        }
        if children.is_empty() {
            if known {
                let what = if word == "series" { "step" } else { "branch" };
                self.error_help(
                    keyword.span(),
                    format!("this `{word}` is empty"),
                    format!("write at least one {what}: `{word} {{ a: attempt(500ms) }}`"),
                );
            }
            children.push(placeholder(keyword.span()));
        }
        if !known && children.len() == 1 {
            return children.remove(0);
        }
        bare(
            keyword,
            match word {
                "parallel" => NodeKind::Parallel(children),
                "fallback" => NodeKind::Fallback(children),
                "race" => NodeKind::Race(children),
                _ => NodeKind::Series(children),
            },
        )
    }
}

pub(super) fn head_example(word: &str) -> &'static str {
    match word {
        "timeout" => "timeout(500ms)",
        "deadline" => "deadline(2s)",
        "hedge" => "hedge(after = 80ms, copies = 2)",
        "allowance" => "allowance(PAYMENTS = 3)",
        _ => "retry(attempts = 3)",
    }
}
