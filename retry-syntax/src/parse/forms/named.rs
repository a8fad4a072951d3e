//! Policies that are types.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use super::super::args::shorten;
use super::super::{Parser, placeholder};
use super::starts_item;
use crate::ast::{Head, NamedPolicy, Node};
use crate::tokens::{Cursor, List, split};
use crate::words::{NODES, Place};

impl Parser {
    /// Named policies, and perhaps a tree without a name at the end.
    pub(in crate::parse) fn file(&mut self, cursor: &mut Cursor) -> Vec<NamedPolicy> {
        let mut policies = Vec::new();
        loop {
            while cursor.eat_punct(';') {}
            let mut ahead = cursor.clone();
            ahead.attributes();
            if starts_item(&ahead) {
                policies.extend(self.named_policy(cursor));
                continue;
            }
            let tree = ahead
                .ident_at(0)
                .is_some_and(|word| NODES.iter().any(|node| word == node));
            if tree || policies.is_empty() && !ahead.is_empty() {
                policies.push(self.unnamed_policy(cursor, ahead.span()));
            } else {
                // Nothing is left, or something that is no policy.
                policies.extend(self.named_policies(cursor));
            }
            return policies;
        }
    }

    fn unnamed_policy(&mut self, cursor: &mut Cursor, span: Span) -> NamedPolicy {
        let ident = Ident::new("policy", span);
        let (head, root) = self.body(cursor, &ident);
        NamedPolicy {
            attrs: Vec::new(),
            levels: Vec::new(),
            vis: TokenStream::new(),
            struct_token: Ident::new("struct", span),
            ident,
            generics: syn::Generics::default(),
            head,
            root,
        }
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
            let brace = cursor.group_at(0, Delimiter::Brace).is_some();
            let span = if cursor.is_empty() || brace {
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
        if keyword != "struct" && keyword != "enum" && keyword != "union" {
            // What it holds is no policy.
            cursor.eat_group(Delimiter::Brace);
            cursor.eat_punct(';');
            return None;
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
        let before = self.errors.all().len();
        let mut head = self.head(inside, true);
        if inside.is_empty() && self.errors.all().len() > before {
            self.errors.keep_first(before);
            return (head, placeholder(ident.span()));
        }
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
    pub(super) fn root(&mut self, cursor: &mut Cursor) -> Node {
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
}
