//! A function under a policy: its signature as it was, its body as the operation of a run in place.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use retry_syntax::ast::{Closure, FnPolicy, InPlace, Node, NodeKind, Operation, RetryArgs};
use retry_syntax::{Diagnostic, Errors};

use super::body::var;
use super::{in_place, run_named};
use crate::judge::Judged;

/// A function taken apart as far as it has to be.
struct Function {
    /// Everything before the body.
    head: Vec<TokenTree>,
    body: Group,
    is_async: bool,
    /// The arguments' group, by its place in `head`.
    arguments: Option<usize>,
    /// The type after `->`.
    output: Option<TokenStream>,
}

impl Function {
    fn of(item: TokenStream) -> Option<Self> {
        let mut head: Vec<TokenTree> = item.into_iter().collect();
        let Some(TokenTree::Group(body)) = head.pop() else {
            return None;
        };
        if body.delimiter() != Delimiter::Brace {
            return None;
        }
        let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
        let at = head.iter().position(|token| is(token, "fn"))?;
        let is_async = head[..at].iter().any(|token| is(token, "async"));
        let paren = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis);
        // Bounds such as `F: Fn(u8)` stand between angle brackets, before the arguments.
        let mut depth = 0_usize;
        let mut arguments = None;
        for (n, token) in head.iter().enumerate().skip(at) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
                TokenTree::Punct(punct) if punct.as_char() == '>' => {
                    let arrow = matches!(&head[n - 1], TokenTree::Punct(before) if before.as_char() == '-');
                    depth = depth.saturating_sub(usize::from(!arrow));
                }
                token if depth == 0 && paren(token) => {
                    arguments = Some(n);
                    break;
                }
                _ => {}
            }
        }
        let after = arguments.map_or(head.len(), |n| n + 1);
        let end = head[after..]
            .iter()
            .position(|token| is(token, "where"))
            .map_or(head.len(), |n| after + n);
        let output = (end > after + 2).then(|| head[after + 2..end].iter().cloned().collect());
        Some(Self {
            head,
            body,
            is_async,
            arguments,
            output,
        })
    }

    fn arguments(&self) -> TokenStream {
        match self.arguments.and_then(|n| self.head.get(n)) {
            Some(TokenTree::Group(group)) => group.stream(),
            _ => TokenStream::new(),
        }
    }

    /// Takes the `mut` off arguments, whose clones have it, and gives their names.
    fn fresh(&mut self) -> Vec<Ident> {
        let mut names = Vec::new();
        let Some(TokenTree::Group(group)) = self.arguments.and_then(|n| self.head.get(n)).cloned() else {
            return names;
        };
        let mut kept = TokenStream::new();
        let mut begins = true;
        let mut tokens = group.stream().into_iter().peekable();
        while let Some(token) = tokens.next() {
            if begins && token.to_string() == "mut" {
                if let Some(TokenTree::Ident(name)) = tokens.peek() {
                    names.push(name.clone());
                }
                begins = false;
                continue;
            }
            begins = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
            kept.extend([token]);
        }
        let mut arguments = Group::new(group.delimiter(), kept);
        arguments.set_span(group.span());
        if let Some(slot) = self.arguments.and_then(|n| self.head.get_mut(n)) {
            *slot = arguments.into();
        }
        names
    }

    /// `Box::pin(async move { … })`, which `#[async_trait]` makes of a body: the innermost block, and what stands around it.
    fn boxed(&self) -> Option<Group> {
        let tokens: Vec<TokenTree> = self.body.stream().into_iter().collect();
        let [.., TokenTree::Ident(pin), TokenTree::Group(inside)] = &tokens[..] else {
            return None;
        };
        if self.is_async || pin != "pin" {
            return None;
        }
        let inside: Vec<TokenTree> = inside.stream().into_iter().collect();
        match &inside[..] {
            [
                TokenTree::Ident(word),
                TokenTree::Ident(_),
                TokenTree::Group(block),
            ] if word == "async" => Some(block.clone()),
            _ => None,
        }
    }

    /// The body with a block in place of the boxed one.
    fn reboxed(&self, block: &TokenStream) -> TokenStream {
        let mut tokens: Vec<TokenTree> = self.body.stream().into_iter().collect();
        if let Some(TokenTree::Group(inside)) = tokens.last().cloned() {
            let mut words: Vec<TokenTree> = inside.stream().into_iter().collect();
            words.pop();
            words.push(Group::new(Delimiter::Brace, block.clone()).into());
            tokens.pop();
            tokens.push(Group::new(inside.delimiter(), words.into_iter().collect()).into());
        }
        tokens.into_iter().collect()
    }
}

/// The function with its body under the policy. `told` are items that stand in the body.
pub(super) fn function(
    args: &RetryArgs,
    attributes: &[TokenStream],
    item: TokenStream,
    facade: &TokenStream,
    judged: Option<&Judged>,
    told: Option<&TokenStream>,
) -> TokenStream {
    let untouched = item.clone();
    let Some(mut function) = Function::of(item) else {
        return quote!(#(#attributes)* #untouched);
    };
    let boxed = function.boxed();
    let faults = refused(&function, args, boxed.is_some());
    if !faults.is_empty() {
        let faults = faults.to_compile_errors();
        return quote!(#faults #(#attributes)* #untouched);
    }
    let mut fresh = function.fresh();
    fresh.extend(args.clones.iter().cloned());
    let mutable: Vec<TokenStream> = fresh
        .iter()
        .enumerate()
        .map(|(n, name)| {
            let word = (n < fresh.len() - args.clones.len()).then(|| quote!(mut));
            quote_spanned!(name.span()=> let #word #name = ::core::clone::Clone::clone(&#name);)
        })
        .collect();
    let body = boxed.as_ref().unwrap_or(&function.body).clone();
    let inner = body.stream();
    let mut block = Group::new(
        Delimiter::Brace,
        if mutable.is_empty() {
            inner
        } else {
            quote!(#(#mutable)* #inner)
        },
    );
    block.set_span(body.span());
    let run = run(args, &function, block, facade, judged, boxed.is_some());
    let optional = boxed.is_none() && is_option(function.output.as_ref());
    let run = if optional {
        quote!(::core::result::Result::ok(#run.await))
    } else {
        quote!(#run.await)
    };
    let exported = exported(args, &function, facade, judged);
    let wrapped = match &boxed {
        Some(_) => function.reboxed(&quote!(#told #run)),
        None => quote!(#told #run),
    };
    let docs = judged
        .and_then(|judged| judged.docs.as_ref())
        .map(|docs| quote!(#[doc = ""] #[doc = #docs]));
    let head = &function.head;
    let mut whole = Group::new(Delimiter::Brace, wrapped);
    whole.set_span(function.body.span());
    quote!(#exported #(#attributes)* #docs #(#head)* #whole)
}

fn run(
    args: &RetryArgs,
    function: &Function,
    block: Group,
    facade: &TokenStream,
    judged: Option<&Judged>,
    boxed: bool,
) -> TokenStream {
    let param: TokenStream = match &args.context {
        Some(name) => TokenTree::Ident(name.clone()).into(),
        None => quote!(_),
    };
    let output = function
        .output
        .clone()
        .filter(|output| !boxed && can_be_named(output));
    let block = TokenStream::from(TokenTree::Group(block));
    let closure = Closure {
        whole: block.clone(),
        async_token: Some(Ident::new("async", Span::mixed_site())),
        move_token: None,
        param,
        output,
        body: block,
    };
    match (&args.policy, judged) {
        (FnPolicy::Tree(root), Some(judged)) => {
            let mut root = root.clone();
            give(&mut root, &Operation::Closure(closure));
            let place = InPlace {
                head: args.head.clone(),
                move_token: None,
                levels: Vec::new(),
                attrs: Vec::new(),
                root,
                short: false,
            };
            in_place::in_place(&place, facade, judged)
        }
        (FnPolicy::Named(policy), _) => {
            let rt = quote!(#facade::__private);
            let cx = var("cx");
            let future = in_place::spliced(&rt, &closure, &cx);
            let run = run_named::ported(&rt, policy, &cx, &future, args.head.interrupted.as_ref());
            quote!(async { #run })
        }
        (FnPolicy::Tree(_), None) => {
            let body = &closure.body;
            quote!(async #body)
        }
    }
}

/// Puts the operation on the leaf.
fn give(node: &mut Node, operation: &Operation) {
    match &mut node.kind {
        NodeKind::Attempt(attempt) => attempt.operation = Some(operation.clone()),
        NodeKind::Call(call) => call.operation = Some(operation.clone()),
        kind => {
            if let Some(child) = kind.children_mut().first_mut() {
                give(child, operation);
            }
        }
    }
}

/// A closure can't say `impl Trait`.
fn can_be_named(output: &TokenStream) -> bool {
    output.clone().into_iter().all(|token| match token {
        TokenTree::Ident(word) => word != "impl",
        TokenTree::Group(group) => can_be_named(&group.stream()),
        _ => true,
    })
}

fn is_option(output: Option<&TokenStream>) -> bool {
    let words = output
        .into_iter()
        .flat_map(|output| output.clone())
        .take_while(|token| token.to_string() != "<");
    words
        .filter(|token| matches!(token, TokenTree::Ident(_)))
        .last()
        .is_some_and(|word| word.to_string() == "Option")
}

fn refused(function: &Function, args: &RetryArgs, boxed: bool) -> Errors {
    let mut errors = Errors::new();
    let tokens: Vec<TokenTree> = function.arguments().into_iter().collect();
    if let [TokenTree::Ident(word), TokenTree::Ident(this), ..] = &tokens[..]
        && word == "mut"
        && this == "self"
    {
        let fault = Diagnostic::new(
            word.span(),
            "`mut self` is moved into the first attempt, and there may be more",
        );
        errors.push(fault.help("write `&mut self`"));
    }
    let FnPolicy::Tree(root) = &args.policy else {
        return errors;
    };
    if let Some(hedge) = root
        .preorder()
        .into_iter()
        .find(|node| matches!(node.kind, NodeKind::Hedge(_)))
    {
        let exclusive = tokens.windows(2).find_map(|pair| match pair {
            [TokenTree::Punct(and), TokenTree::Ident(word)] if and.as_char() == '&' && word == "mut" => {
                Some(word.span())
            }
            _ => None,
        });
        if exclusive.is_some() {
            let fault = Diagnostic::new(
                hedge.keyword.span(),
                "a hedge runs copies side by side, which can't share a `&mut` argument",
            );
            errors.push(fault.help("take `&` instead, or retry without a hedge"));
        }
    }
    if root.leaves().len() > 1 {
        let fault = Diagnostic::new(
            root.keyword.span(),
            "a function is one operation, and this policy has several leaves",
        );
        errors.push(fault.help("write a named policy, and run it with an operation for each leaf"));
    }
    if !function.is_async && !boxed {
        let word = function
            .head
            .iter()
            .find(|token| token.to_string() == "fn")
            .map_or_else(Span::call_site, TokenTree::span);
        errors.push(
            Diagnostic::new(
                word,
                "this function isn't async, so nothing can end it when its time is over",
            )
            .help("write `async fn`"),
        );
    }
    errors
}

/// The function's plan as a constant beside it.
fn exported(
    args: &RetryArgs,
    function: &Function,
    facade: &TokenStream,
    judged: Option<&Judged>,
) -> TokenStream {
    let Some(name) = &args.export else {
        return TokenStream::new();
    };
    let mut vis = TokenStream::new();
    let mut tokens = function.head.iter();
    if let Some(word) = tokens.next().filter(|token| token.to_string() == "pub") {
        vis.extend([word.clone()]);
        if let Some(TokenTree::Group(group)) = tokens.next() {
            vis.extend([TokenTree::from(group.clone())]);
        }
    }
    let planner = quote!(#facade::__private::planner);
    let plan = match (&args.policy, judged) {
        (FnPolicy::Named(policy), _) => quote!(<#policy>::PLAN),
        (_, Some(judged)) => {
            let policy = &judged.policy;
            quote!(#planner::Plan::of(&#policy))
        }
        _ => return TokenStream::new(),
    };
    quote! {
        /// What the function can do: its fastest success, its latest end, its calls.
        #[allow(dead_code, reason = "a plan is there for whoever asks")]
        #vis const #name: #planner::Plan<'static> = #plan;
    }
}
