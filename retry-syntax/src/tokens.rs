//! Walking over tokens: a cursor, and lists split at their commas.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

use crate::errors::{Diagnostic, Errors};

/// A place in a row of tokens.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    tokens: Vec<TokenTree>,
    at: usize,
    /// What to point at when the tokens have run out.
    end: Span,
}

impl Cursor {
    pub(crate) fn new(tokens: TokenStream, end: Span) -> Self {
        Self::of(tokens.into_iter().map(bare).collect(), end)
    }

    pub(crate) fn of(tokens: Vec<TokenTree>, end: Span) -> Self {
        Self { tokens, at: 0, end }
    }

    pub(crate) fn inside(group: &Group) -> Self {
        Self::new(group.stream(), group.span_close())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(crate) fn peek(&self) -> Option<&TokenTree> {
        self.tokens.get(self.at)
    }

    pub(crate) fn peek_nth(&self, n: usize) -> Option<&TokenTree> {
        self.tokens.get(self.at + n)
    }

    pub(crate) fn left(&self) -> &[TokenTree] {
        &self.tokens[self.at.min(self.tokens.len())..]
    }

    pub(crate) fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.get(self.at).cloned();
        self.at += usize::from(token.is_some());
        token
    }

    pub(crate) fn skip(&mut self, n: usize) {
        self.at = (self.at + n).min(self.tokens.len());
    }

    /// The next token's span, or the end's.
    pub(crate) fn span(&self) -> Span {
        self.peek().map_or(self.end, TokenTree::span)
    }

    pub(crate) fn end(&self) -> Span {
        self.end
    }

    /// The last token's span, or the end's.
    pub(crate) fn last_span(&self) -> Span {
        self.tokens.last().map_or(self.end, TokenTree::span)
    }

    pub(crate) fn rest(&mut self) -> TokenStream {
        let rest = self.left().iter().cloned().collect();
        self.at = self.tokens.len();
        rest
    }

    pub(crate) fn is_punct(&self, n: usize, char: char) -> bool {
        is_punct(self.peek_nth(n), char)
    }

    pub(crate) fn eat_punct(&mut self, char: char) -> bool {
        let found = self.is_punct(0, char);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn ident_at(&self, n: usize) -> Option<&Ident> {
        match self.peek_nth(n) {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        }
    }

    pub(crate) fn is_word(&self, n: usize, word: &str) -> bool {
        self.ident_at(n).is_some_and(|ident| ident == word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> Option<Ident> {
        let ident = self.ident_at(0).filter(|ident| *ident == word).cloned();
        self.at += usize::from(ident.is_some());
        ident
    }

    pub(crate) fn eat_ident(&mut self) -> Option<Ident> {
        let ident = self.ident_at(0).cloned();
        self.at += usize::from(ident.is_some());
        ident
    }

    pub(crate) fn group_at(&self, n: usize, delimiter: Delimiter) -> Option<&Group> {
        match self.peek_nth(n) {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }

    pub(crate) fn eat_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        let group = self.group_at(0, delimiter).cloned();
        self.at += usize::from(group.is_some());
        group
    }

    /// A lone `=`, so neither `==` nor `=>`.
    pub(crate) fn is_assign(&self, n: usize) -> bool {
        is_assign(self.left(), n)
    }

    /// A lone `:`, so not the first half of a `::`.
    pub(crate) fn is_colon(&self, n: usize) -> bool {
        is_colon(self.left(), n)
    }

    /// The attributes that stand here, each as its `#` and its brackets.
    pub(crate) fn attributes(&mut self) -> Vec<(TokenTree, Group)> {
        let mut found = Vec::new();
        while let (true, Some(group)) = (self.is_punct(0, '#'), self.group_at(1, Delimiter::Bracket)) {
            let group = group.clone();
            if let Some(hash) = self.next() {
                found.push((hash, group));
            }
            self.skip(1);
        }
        found
    }
}

/// A `macro_rules!` fragment comes in an invisible group; a single token in one is that token.
fn bare(token: TokenTree) -> TokenTree {
    if let TokenTree::Group(group) = &token
        && group.delimiter() == Delimiter::None
    {
        let mut inside = group.stream().into_iter();
        if let (Some(only), None) = (inside.next(), inside.next()) {
            return bare(only);
        }
    }
    token
}

pub(crate) fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

fn is_joint(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.spacing() == Spacing::Joint)
}

fn is_assign(tokens: &[TokenTree], n: usize) -> bool {
    is_punct(tokens.get(n), '=')
        && !(is_joint(tokens.get(n))
            && (is_punct(tokens.get(n + 1), '=') || is_punct(tokens.get(n + 1), '>')))
}

fn is_colon(tokens: &[TokenTree], n: usize) -> bool {
    is_punct(tokens.get(n), ':') && !(is_joint(tokens.get(n)) && is_punct(tokens.get(n + 1), ':'))
}

/// What a list holds: this decides what shows that a comma is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    /// `name = value`
    Args,
    /// `name: node`
    Children,
}

/// Splits at top-level commas; commas between a closure's bars and inside angle brackets don't count.
///
/// A missing comma is reported where the next entry begins, and split there.
pub(crate) fn split(cursor: &Cursor, list: List, errors: &mut Errors) -> Vec<Cursor> {
    let tokens = cursor.left();
    let mut parts = Vec::new();
    let mut part: Vec<TokenTree> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let token = &tokens[i];
        let semicolon = list == List::Children && is_punct(Some(token), ';');
        if semicolon {
            errors.push(
                Diagnostic::new(token.span(), "steps and branches are separated by commas")
                    .help("write `,` instead of `;`"),
            );
        }
        if semicolon || is_punct(Some(token), ',') {
            if part.is_empty() {
                if !semicolon {
                    errors.push(Diagnostic::new(token.span(), "nothing stands before this comma"));
                }
            } else {
                parts.push(Cursor::of(std::mem::take(&mut part), token.span()));
            }
            i += 1;
            continue;
        }
        if let Some(name) = starts_entry(tokens, i, list)
            && ends_value(&part)
        {
            errors.push(Diagnostic::new(
                name.span(),
                format!("a comma is missing before `{name}`"),
            ));
            parts.push(Cursor::of(std::mem::take(&mut part), name.span()));
        }
        let skipped = opaque(tokens, i, part.last());
        part.extend(tokens[i..i + skipped].iter().cloned());
        i += skipped;
    }
    if !part.is_empty() {
        parts.push(Cursor::of(part, cursor.end()));
    }
    parts
}

fn starts_entry(tokens: &[TokenTree], i: usize, list: List) -> Option<&Ident> {
    let TokenTree::Ident(name) = &tokens[i] else {
        return None;
    };
    let starts = match list {
        List::Args => is_assign(tokens, i + 1),
        List::Children => is_colon(tokens, i + 1),
    };
    starts.then_some(name)
}

fn ends_value(part: &[TokenTree]) -> bool {
    match part.last() {
        Some(TokenTree::Group(group)) => {
            let attribute = group.delimiter() == Delimiter::Bracket
                && part.len() > 1
                && is_punct(part.get(part.len() - 2), '#');
            !attribute
        }
        Some(TokenTree::Literal(_)) => true,
        Some(TokenTree::Ident(ident)) => !["async", "move", "return", "mut", "ref", "let", "in", "as"]
            .iter()
            .any(|word| ident == word),
        Some(TokenTree::Punct(_)) | None => false,
    }
}

/// The tokens up to the first comma that no angle brackets enclose.
pub(crate) fn path(cursor: &mut Cursor) -> TokenStream {
    let length = angle(cursor.left(), 0, true).unwrap_or(cursor.left().len());
    let path = cursor.left()[..length].iter().cloned().collect();
    cursor.skip(length);
    path
}

/// How many tokens from `i` on belong together without regard to commas.
fn opaque(tokens: &[TokenTree], i: usize, before: Option<&TokenTree>) -> usize {
    // A `|` where a value begins opens a closure's parameters.
    let begins = match before {
        None => true,
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), '=' | ':'),
        Some(TokenTree::Ident(ident)) => *ident == "async" || *ident == "move",
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) => false,
    };
    let closure = begins && is_punct(tokens.get(i), '|');
    if closure && let Some(close) = (i + 1..tokens.len()).find(|&j| is_punct(tokens.get(j), '|')) {
        return close - i + 1;
    }
    let turbofish =
        is_punct(tokens.get(i), '<') && (before.is_none() || is_punct(before, ':') || is_punct(before, '='));
    if turbofish {
        return angle(tokens, i, false).unwrap_or(1);
    }
    // A return type runs up to the body's brace.
    if is_punct(tokens.get(i), '-') && is_punct(tokens.get(i + 1), '>') {
        return angle(tokens, i + 2, true).map_or(2, |n| n + 2);
    }
    1
}

/// The length of `<…>` from `i` on; of a type that ends before a brace, if `ty`.
fn angle(tokens: &[TokenTree], i: usize, ty: bool) -> Option<usize> {
    let mut depth = 0_usize;
    for (n, token) in tokens[i.min(tokens.len())..].iter().enumerate() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => {
                let arrow = n > 0 && is_punct(tokens.get(i + n - 1), '-') && is_joint(tokens.get(i + n - 1));
                if !arrow {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && !ty {
                        return Some(n + 1);
                    }
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 && ty => return Some(n),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && depth == 0 && ty => {
                return Some(n);
            }
            _ => {}
        }
    }
    None
}
