//! Where the user's code stands in the body of a function that returns a future: in its last block.
//!
//! That is `async move { … }` or `Box::pin(async move { … })`, and of what `#[async_trait]` makes of a body the block
//! inside, behind moves of the arguments.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::{Expr, Pat, Stmt};

/// A block inside of a body.
pub(super) struct Inside {
    /// What stands before the block's group, or before that of the call of `Box::pin`.
    head: TokenStream,
    /// Inside of `Box::pin`: what stands before the block's group.
    boxed: Option<TokenStream>,
    /// The statements of the block before the user's code, and after it.
    before: TokenStream,
    after: TokenStream,
    /// Whether the user's code is a block of its own between them.
    nested: bool,
    /// The user's code.
    pub(super) block: TokenStream,
    /// What `#[async_trait]` calls `self`, and whether it is `mut`.
    pub(super) receiver: Option<(Ident, bool)>,
}

impl Inside {
    /// The block of a body, if there is one.
    pub(super) fn of(body: &Group) -> Option<Self> {
        let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
        let (last, before) = tokens.split_last()?;
        let TokenTree::Group(last) = last else { return None };
        if last.delimiter() == Delimiter::Parenthesis && ends_with(before, &["Box", ":", ":", "pin"]) {
            let inner: Vec<TokenTree> = last.stream().into_iter().collect();
            let (block, head) = inner.split_last()?;
            let TokenTree::Group(block) = block else {
                return None;
            };
            return is_async_block(head, block).then(|| Self {
                head: stream(before),
                boxed: Some(stream(head)),
                ..Self::innermost(block)
            });
        }
        let start = before
            .iter()
            .rposition(|token| matches!(token, TokenTree::Ident(word) if word == "async"))?;
        is_async_block(&before[start..], last).then(|| Self {
            head: stream(before),
            boxed: None,
            before: TokenStream::new(),
            after: TokenStream::new(),
            nested: false,
            block: last.stream(),
            receiver: None,
        })
    }

    /// `#[async_trait]` puts the body into `let __ret: T = { … };`.
    fn innermost(block: &Group) -> Self {
        let tokens: Vec<TokenTree> = block.stream().into_iter().collect();
        let found = tokens
            .windows(2)
            .position(|pair| is_word(&pair[0], "let") && is_word(&pair[1], "__ret"))
            .and_then(|at| {
                let end = at + tokens[at..].iter().position(|token| is_punct(token, ';'))?;
                match tokens.get(end - 1) {
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                        Some((end - 1, group))
                    }
                    _ => None,
                }
            });
        let (before, after, code) = match found {
            None => (TokenStream::new(), TokenStream::new(), block.stream()),
            Some((at, group)) => (stream(&tokens[..at]), stream(&tokens[at + 1..]), group.stream()),
        };
        Self {
            head: TokenStream::new(),
            boxed: None,
            before,
            after,
            nested: found.is_some(),
            block: code,
            receiver: None,
        }
    }

    /// Shows the patterns that arguments are bound to before the user's code: `let mut list = list;`.
    pub(super) fn rebound(&mut self, mut see: impl FnMut(&mut Pat)) {
        let tokens: Vec<TokenTree> = self.before.clone().into_iter().collect();
        let mut found = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            let starts = is_word(&tokens[at], "let") && (at == 0 || !is_word(&tokens[at - 1], "if"));
            let end = tokens[at..].iter().position(|token| is_punct(token, ';'));
            if let (true, Some(end)) = (starts, end)
                && let Some(mut local) = binding(&tokens[at..=at + end])
            {
                if is_word(&tokens[at + end - 1], "self") {
                    if let Pat::Ident(name) = &local.pat {
                        self.receiver = Some((name.ident.clone(), name.mutability.is_some()));
                    }
                } else {
                    see(&mut local.pat);
                }
                local.to_tokens(&mut found);
                at += end + 1;
                continue;
            }
            found.extend([tokens[at].clone()]);
            at += 1;
        }
        self.before = found;
    }

    /// The body, with `run` in place of the user's code.
    pub(super) fn around(&self, run: &TokenStream) -> TokenStream {
        let Self {
            head, before, after, ..
        } = self;
        let run = if self.nested {
            quote!({ #run })
        } else {
            run.clone()
        };
        match &self.boxed {
            None => quote!(#head { #before #run #after }),
            Some(boxed) => quote!(#head(#boxed { #before #run #after })),
        }
    }
}

/// `let PATTERN = NAME;` or `let PATTERN = { … };`
fn binding(tokens: &[TokenTree]) -> Option<syn::Local> {
    let mut all = syn::Block::parse_within.parse2(stream(tokens)).ok()?;
    match all.pop() {
        Some(Stmt::Local(local)) if all.is_empty() => {
            let value = local.init.as_ref().map(|init| &*init.expr);
            matches!(value, Some(Expr::Path(_) | Expr::Block(_))).then_some(local)
        }
        _ => None,
    }
}

fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(found) if found == word)
}

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

fn is_async_block(head: &[TokenTree], block: &Group) -> bool {
    let words: Vec<String> = head.iter().map(ToString::to_string).collect();
    block.delimiter() == Delimiter::Brace && (words == ["async", "move"] || words == ["async"])
}

fn ends_with(tokens: &[TokenTree], words: &[&str]) -> bool {
    tokens.len() >= words.len()
        && tokens[tokens.len() - words.len()..]
            .iter()
            .zip(words)
            .all(|(token, word)| token.to_string() == *word)
}
