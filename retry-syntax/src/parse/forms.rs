//! Whole inputs: named policies, the forms in place, and `#[retry(…)]`.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use super::args::{Arg, Given, example, shorten};
use super::keys::{AttemptKeys, HedgeKeys, RetryKeys, key_ident, word_at};
use super::{Home, Parser, bare, operation, placeholder};
use crate::ast::{
    Attempt, FnPolicy, Head, InPlace, Input, Limit, NamedPolicy, Node, NodeKind, Operation, RetryArgs,
    RunNamed,
};
use crate::errors::Diagnostic;
use crate::tokens::{Cursor, List, path, split};
use crate::words::{self, ATTEMPT, FUNCTION, HEAD, HEDGE, NODES, Place, RETRY, SHORTHAND};

impl Parser {
    pub(super) fn input(&mut self, cursor: &mut Cursor) -> Option<Input> {
        let mut ahead = cursor.clone();
        ahead.attributes();
        if ahead.is_empty() {
            self.error_help(
                ahead.span(),
                "expected a policy",
                "write `struct Name { … }`, or a policy in place: `attempts = 3, attempt = 500ms, async |cx| { … }`",
            );
            return None;
        }
        if starts_item(&ahead) {
            self.home = Home::Named;
            return Some(Input::Policies(self.named_policies(cursor)));
        }
        let statement = ahead.ident_at(0).is_some() && ahead.is_assign(1) && ends_statement(&ahead);
        let short =
            (ahead.ident_at(0).is_some() && ahead.is_assign(1) && !statement) || operation::begins(&ahead);
        if !short
            && !statement
            && !ahead.is_word(0, "type")
            && !ahead.is_word(0, "move")
            && names_policy(&ahead)
        {
            return Some(Input::RunNamed(self.run_named(cursor)));
        }
        Some(Input::InPlace(self.in_place(cursor, short)))
    }

    /// Named policies, or one tree alone.
    pub(super) fn file(&mut self, cursor: &mut Cursor) -> Vec<NamedPolicy> {
        let mut ahead = cursor.clone();
        ahead.attributes();
        if ahead.is_empty() || starts_item(&ahead) {
            return self.named_policies(cursor);
        }
        let span = ahead.span();
        let ident = Ident::new("policy", span);
        let (head, root) = self.body(cursor, &ident);
        vec![NamedPolicy {
            attrs: Vec::new(),
            levels: Vec::new(),
            vis: TokenStream::new(),
            struct_token: Ident::new("struct", span),
            ident,
            generics: syn::Generics::default(),
            head,
            root,
        }]
    }

    pub(super) fn named_policies(&mut self, cursor: &mut Cursor) -> Vec<NamedPolicy> {
        let mut policies = Vec::new();
        while !cursor.is_empty() {
            if cursor.eat_punct(';') {
                continue;
            }
            let mut ahead = cursor.clone();
            ahead.attributes();
            if starts_item(&ahead) {
                policies.extend(self.named_policy(cursor));
            } else {
                let found = ahead
                    .peek()
                    .map(|token| shorten(&token.to_string()))
                    .unwrap_or_default();
                self.error_help(
                    ahead.span(),
                    format!("expected a policy, found `{found}`"),
                    "write `struct Name { … }`",
                );
                while !cursor.is_empty() && !starts_item(cursor) {
                    cursor.skip(1);
                }
            }
        }
        policies
    }

    fn named_policy(&mut self, cursor: &mut Cursor) -> Option<NamedPolicy> {
        let (mut levels, mut attrs) = (Vec::new(), Vec::new());
        for (hash, group) in cursor.attributes() {
            levels.extend(self.level_attribute(&hash, &group, &mut attrs));
        }
        let mut vis = Vec::new();
        if cursor.is_word(0, "pub") {
            vis.extend(cursor.next());
            if let Some(group) = cursor.eat_group(Delimiter::Parenthesis) {
                vis.push(group.into());
            }
        }
        let keyword = cursor.eat_ident()?;
        if keyword != "struct" {
            self.error_help(
                keyword.span(),
                format!("a policy is a struct, found `{keyword}`"),
                "write `struct Name { … }`",
            );
        }
        let Some(ident) = cursor.eat_ident() else {
            let span = if cursor.is_empty() {
                keyword.span()
            } else {
                cursor.span()
            };
            self.error_help(span, "a policy needs a name", "write `struct Name { … }`");
            cursor.eat_group(Delimiter::Brace);
            return None;
        };
        let mut before = Vec::new();
        while !cursor.is_empty() && cursor.group_at(0, Delimiter::Brace).is_none() && !cursor.is_punct(0, ';')
        {
            before.extend(cursor.next());
        }
        let generics = self.generics(&before);
        let (head, root) = if let Some(group) = cursor.eat_group(Delimiter::Brace) {
            self.body(&mut Cursor::inside(&group), &ident)
        } else {
            self.error_help(
                ident.span(),
                format!("the policy of `{ident}` is missing"),
                format!("write `struct {ident} {{ retry(attempts = 3) {{ attempt(500ms) }} }}`"),
            );
            (Head::default(), placeholder(ident.span()))
        };
        let struct_token = Ident::new("struct", keyword.span());
        Some(NamedPolicy {
            attrs,
            levels,
            vis: vis.into_iter().collect(),
            struct_token,
            ident,
            generics,
            head,
            root,
        })
    }

    /// What stands between a named policy's braces.
    fn body(&mut self, inside: &mut Cursor, ident: &Ident) -> (Head, Node) {
        let mut head = self.head(inside, true);
        if inside.is_empty() {
            self.error_help(
                ident.span(),
                format!("the policy of `{ident}` is empty"),
                format!("write `struct {ident} {{ retry(attempts = 3) {{ attempt(500ms) }} }}`"),
            );
            return (head, placeholder(ident.span()));
        }
        let root = if inside.ident_at(0).is_some() && inside.is_assign(1) {
            let args = self.args(inside);
            self.shorthand(args, Place::Shorthand, &mut head, None, ident.span())
        } else {
            self.root(inside)
        };
        (head, root)
    }

    fn generics(&mut self, tokens: &[TokenTree]) -> syn::Generics {
        if tokens.is_empty() {
            return syn::Generics::default();
        }
        let split = tokens
            .iter()
            .position(|token| matches!(token, TokenTree::Ident(word) if word == "where"));
        let (params, clause) = tokens.split_at(split.unwrap_or(tokens.len()));
        let parse = || {
            let mut generics: syn::Generics = syn::parse2(params.iter().cloned().collect())?;
            if !clause.is_empty() {
                generics.where_clause = Some(syn::parse2(clause.iter().cloned().collect())?);
            }
            Ok::<_, syn::Error>(generics)
        };
        parse().unwrap_or_else(|error| {
            self.error_help(
                error.span(),
                format!("this isn't a list of generics: {error}"),
                "write `struct Name<T: Trait> { … }`",
            );
            syn::Generics::default()
        })
    }

    /// One node, and nothing behind it.
    fn root(&mut self, cursor: &mut Cursor) -> Node {
        let span = cursor.span();
        let mut parts = split(cursor, List::Children, &mut self.errors).into_iter();
        let root = match parts.next() {
            Some(mut part) => self.node(&mut part),
            None => placeholder(span),
        };
        if let Some(second) = parts.next() {
            self.error_help(
                second.span(),
                "a policy has one root",
                "put its nodes into one: `series { a: …, b: … }`, `parallel { … }`, `fallback { … }` or `race { … }`",
            );
        }
        root
    }

    /// `type Error = …;`, `crate = …;`, `interrupted = …;`
    fn head(&mut self, cursor: &mut Cursor, with_type: bool) -> Head {
        let mut head = Head::default();
        let mut given = Given::default();
        loop {
            let is_type = cursor.is_word(0, "type");
            let statement = cursor.ident_at(0).is_some() && cursor.is_assign(1) && ends_statement(cursor);
            if !is_type && !statement {
                return head;
            }
            if is_type {
                cursor.skip(1);
            }
            let Some(word) = cursor.eat_ident() else {
                self.error_help(
                    cursor.span(),
                    "expected `Error` behind `type`",
                    "write `type Error = MyError;`",
                );
                self.statement(cursor);
                continue;
            };
            let equals = cursor.is_assign(0);
            if equals {
                cursor.skip(1);
            }
            let value = self.statement(cursor);
            if !self.once(&mut given, &word) {
                continue;
            }
            let known = if is_type {
                word == "Error" && with_type
            } else {
                HEAD.iter().any(|head| word == head)
            };
            if !known {
                let help = if is_type || words::nearest(&word.to_string(), ["error", "Error"]).is_some() {
                    "write `type Error = MyError;`"
                } else {
                    "before a policy stand `type Error = …;`, `crate = …;` and `interrupted = …;`"
                };
                self.error_help(word.span(), format!("`{word}` isn't known here"), help);
                if is_type && head.error.is_none() && !value.is_empty() {
                    head.error = Some(value);
                }
                continue;
            }
            if value.is_empty() || !equals {
                let what = if is_type {
                    "type Error = MyError"
                } else {
                    example(&word.to_string())
                };
                self.error_help(
                    word.span(),
                    format!("`{word}` needs a value"),
                    format!("write `{what};`"),
                );
                continue;
            }
            match word.to_string().as_str() {
                "Error" => head.error = Some(value),
                "crate" => head.crate_path = Some(value),
                _ => head.interrupted = Some(value),
            }
        }
    }

    /// What stands before the `;`; without one, before the node that follows.
    fn statement(&mut self, cursor: &mut Cursor) -> TokenStream {
        let mut value: Vec<TokenTree> = Vec::new();
        while !cursor.is_empty() {
            if cursor.eat_punct(';') {
                return value.into_iter().collect();
            }
            let node = cursor
                .ident_at(0)
                .is_some_and(|word| NODES.iter().any(|node| word == node))
                && matches!(cursor.peek_nth(1), Some(TokenTree::Group(_)));
            if node
                && value
                    .last()
                    .is_some_and(|token| !matches!(token, TokenTree::Punct(p) if p.as_char() != '>'))
            {
                break;
            }
            value.extend(cursor.next());
        }
        let span = value.last().map_or_else(|| cursor.span(), TokenTree::span);
        self.error_help(
            span,
            "a `;` is missing behind this",
            "write `type Error = MyError;`",
        );
        value.into_iter().collect()
    }

    fn in_place(&mut self, cursor: &mut Cursor, short: bool) -> InPlace {
        let (mut levels, mut attrs) = (Vec::new(), Vec::new());
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
            if operation.is_none() {
                self.error_help(
                    cursor.last_span(),
                    "the operation is missing",
                    "write it last: `attempts = 3, attempt = 500ms, async |cx| { … }`",
                );
            }
            let root = self.shorthand(args, Place::Shorthand, &mut head, operation, span);
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
            self.error_help(
                cursor.span(),
                "the policy is missing",
                "write `deadline(1s) { … }` or another node",
            );
            let root = placeholder(cursor.span());
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

    fn run_named(&mut self, cursor: &mut Cursor) -> RunNamed {
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

    /// The keys of `retry`, `hedge` and `attempt` in one row.
    fn shorthand(
        &mut self,
        args: Vec<Arg>,
        place: Place,
        head: &mut Head,
        operation: Option<Operation>,
        span: Span,
    ) -> Node {
        let mut given = Given::default();
        let mut retry = RetryKeys::default();
        let mut hedge = HedgeKeys::default();
        let mut attempt = AttemptKeys::default();
        let mut deadline = None;
        for mut arg in args {
            let word = arg.name.clone().or_else(|| arg.lone());
            let known = |words: &[&str]| {
                word.as_ref()
                    .is_some_and(|word| words.iter().any(|known| word == known))
            };
            let lone = arg.name.is_none();
            let flag = lone && known(&["idempotent", "idempotency_key"]);
            if !flag && (lone || !known(&place.words())) || known(&FUNCTION) {
                self.unknown(place, &mut given, &arg);
                continue;
            }
            let Some(word) = word.clone() else { continue };
            if !self.once(&mut given, &word) {
                continue;
            }
            match word.to_string().as_str() {
                "attempt" => {
                    attempt.bound = Some(self.duration(&mut arg.value, word.span(), example("attempt")));
                }
                "deadline" => {
                    deadline = Some((
                        word.clone(),
                        self.duration(&mut arg.value, word.span(), example("deadline")),
                    ));
                }
                "crate" => head.crate_path = Some(self.expression(&mut arg.value, &word)),
                "interrupted" => head.interrupted = Some(self.expression(&mut arg.value, &word)),
                text if ATTEMPT.contains(&text) => drop(attempt.take(self, &mut arg)),
                text if HEDGE[..2].contains(&text) => drop(hedge.take(self, &mut arg)),
                _ => drop(retry.take(self, &mut arg)),
            }
        }
        let hedged = HEDGE[..2].iter().any(|word| given.has(word));
        let retried = RETRY
            .iter()
            .any(|word| given.has(word) && !(*word == "budget" && hedged))
            || (!hedged && !given.has("attempt") && !given.has("deadline") && !given.has("takes"));
        let budget = retry.budget.clone();
        let words_of = |words: &[&str]| {
            given
                .words
                .iter()
                .filter(|word| words.iter().any(|w| word == w))
                .cloned()
                .collect()
        };
        let at = |words: &[&str]| {
            words
                .iter()
                .find_map(|word| key_ident(&given, word))
                .map_or(span, |word| word.span())
        };

        let kind = NodeKind::Attempt(Attempt {
            bound: attempt.bound,
            takes: attempt.takes,
            idempotent: attempt.idempotent,
            key: attempt.key,
            operation,
        });
        let own = ["attempt", "takes", "attempts", "copies", "deadline"];
        let mut node = bare(word_at("attempt", at(&own)), kind);
        node.words = words_of(&["attempt", "takes", "idempotent", "idempotency_key"]);
        if hedged {
            let keyword = word_at("hedge", at(&HEDGE[..2]));
            if budget.is_some() {
                hedge.budget.clone_from(&budget);
            }
            let built = hedge.build(self, &given, &keyword, node);
            node = bare(keyword, NodeKind::Hedge(built));
            node.words = words_of(&HEDGE[..2]);
        }
        if retried {
            let keyword = word_at("retry", at(&RETRY));
            let built = retry.build(self, &given, &keyword, node);
            node = bare(keyword, NodeKind::Retry(built));
            node.words = words_of(&RETRY);
        }
        if let Some((word, limit)) = deadline {
            let keyword = word_at("deadline", word.span());
            node = bare(
                keyword,
                NodeKind::Deadline(Limit {
                    limit,
                    child: Box::new(node),
                }),
            );
        }
        node
    }

    pub(super) fn retry_args(&mut self, cursor: &mut Cursor) -> RetryArgs {
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
        let mut policy: Option<Cursor> = None;
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
                policy = Some(arg.value);
            }
        }
        match policy {
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
                text if RETRY.contains(&text)
                    || HEDGE.contains(&text)
                    || SHORTHAND.contains(&text)
                    || ATTEMPT.contains(&text) =>
                {
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

fn starts_item(cursor: &Cursor) -> bool {
    let mut ahead = cursor.clone();
    ahead.attributes();
    if ahead.eat_word("pub").is_some() {
        return true;
    }
    [
        "struct", "enum", "union", "fn", "const", "static", "trait", "impl", "mod",
    ]
    .iter()
    .any(|word| ahead.is_word(0, word))
}

/// Whether a `;` ends what begins here, before a comma does.
fn ends_statement(cursor: &Cursor) -> bool {
    let end = cursor.left().iter().find_map(|token| match token {
        TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => Some(punct.as_char()),
        _ => None,
    });
    end == Some(';')
}

/// Whether a policy's type stands here, and not a node.
fn names_policy(cursor: &Cursor) -> bool {
    let Some(first) = cursor.ident_at(0) else {
        return cursor.is_punct(0, ':') || cursor.is_punct(0, '<');
    };
    if NODES.iter().any(|node| first == node) || cursor.is_colon(1) {
        return false;
    }
    !matches!(cursor.peek_nth(1), Some(TokenTree::Group(_)))
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
