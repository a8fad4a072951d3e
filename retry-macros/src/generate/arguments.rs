//! What each attempt does with the function's arguments.
//!
//! Owned ones are borrowed, `&mut` ones are reborrowed, and those that an attempt may change are cloned, so that it never
//! sees its predecessor's changes.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{FnArg, Pat, Signature, Type};

use super::body::var;
use super::inside::Inside;

/// The arguments of a function, with what is done before each attempt.
pub(super) struct Arguments {
    /// `&mut` arguments by name.
    reborrowed: Vec<Ident>,
    /// Cloned ones, and whether they are `mut`.
    cloned: Vec<(Ident, bool)>,
    /// `clone(self)`: what the clone is called.
    this: Option<Ident>,
    /// What the function knows them by, besides `self`.
    names: Vec<Ident>,
    /// What only one attempt at a time can have: where it stands, and its name.
    pub(super) exclusive: Vec<(Span, String)>,
}

impl Arguments {
    /// Takes the arguments' `mut` away, for the clones have it now; the faults are about what can't be retried.
    pub(super) fn of(signature: &mut Signature, clones: &[Ident]) -> (Self, Vec<TokenStream>) {
        let mut found = Self {
            reborrowed: Vec::new(),
            cloned: Vec::new(),
            this: None,
            names: Vec::new(),
            exclusive: Vec::new(),
        };
        let mut faults = Vec::new();
        let mut bound = Vec::new();
        for argument in &mut signature.inputs {
            match argument {
                FnArg::Receiver(receiver) => found.receiver(receiver, &mut faults),
                FnArg::Typed(typed) => {
                    let exclusive =
                        matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some());
                    match &mut *typed.pat {
                        Pat::Ident(name) if exclusive => {
                            found.exclusive.push((name.ident.span(), name.ident.to_string()));
                            found.reborrowed.push(name.ident.clone());
                            bound.push(name.ident.clone());
                        }
                        pattern => found.pattern(pattern, &mut bound),
                    }
                }
            }
        }
        for clone in clones {
            if clone == "self" && signature.receiver().is_some() {
                found.this = Some(var("this"));
            } else if !bound.contains(clone) {
                let text = format!("`{}` has no argument `{clone}` to clone", signature.ident);
                faults.push(quote_spanned!(clone.span()=> ::core::compile_error!(#text);));
            } else if !found.cloned.iter().any(|(name, _)| name == clone) {
                found.cloned.push((clone.clone(), false));
            }
        }
        found.names = bound;
        (found, faults)
    }

    /// Whether the code mentions any of them.
    pub(super) fn any_in(&self, code: &TokenStream) -> bool {
        mentions(code, |word| word == "self" || self.names.contains(word))
    }

    fn receiver(&mut self, receiver: &syn::Receiver, faults: &mut Vec<TokenStream>) {
        let span = receiver.self_token.span;
        let text = quote!(#receiver).to_string();
        // `self: Pin<&mut Self>` is reborrowed by the body's own `as_mut`.
        let exclusive = text.contains("& mut ") || (text.starts_with('&') && text.contains("mut "));
        if exclusive {
            self.exclusive.push((span, "self".to_owned()));
        } else if text.starts_with("mut ") {
            faults.push(mut_self(span));
        }
    }

    /// Takes over what the body binds its arguments to before the code that is retried.
    pub(super) fn inside(&mut self, inside: &mut Inside, faults: &mut Vec<TokenStream>) {
        inside.rebound(|pattern| self.pattern(pattern, &mut Vec::new()));
        let Some((name, mutable)) = &inside.receiver else {
            return;
        };
        if *mutable && self.exclusive.iter().all(|(_, name)| name != "self") {
            faults.push(mut_self(name.span()));
        }
        if let Some(this) = &mut self.this {
            *this = name.clone();
        }
    }

    /// The code of an attempt, where `self` is the clone that is made for it.
    pub(super) fn code(&self, code: TokenStream) -> TokenStream {
        match &self.this {
            Some(this) if this == "this" => own(code, this),
            _ => code,
        }
    }

    /// Bindings of a pattern; those that are `mut` are cloned.
    fn pattern(&mut self, pattern: &mut Pat, bound: &mut Vec<Ident>) {
        match pattern {
            Pat::Ident(name) => {
                bound.push(name.ident.clone());
                if name.by_ref.is_none() && name.mutability.take().is_some() {
                    self.cloned.push((name.ident.clone(), true));
                }
                if let Some((_, inner)) = &mut name.subpat {
                    self.pattern(inner, bound);
                }
            }
            Pat::Tuple(tuple) => tuple
                .elems
                .iter_mut()
                .for_each(|inner| self.pattern(inner, bound)),
            Pat::TupleStruct(tuple) => tuple
                .elems
                .iter_mut()
                .for_each(|inner| self.pattern(inner, bound)),
            Pat::Slice(slice) => slice
                .elems
                .iter_mut()
                .for_each(|inner| self.pattern(inner, bound)),
            Pat::Struct(fields) => fields
                .fields
                .iter_mut()
                .for_each(|field| self.pattern(&mut field.pat, bound)),
            Pat::Reference(inner) => self.pattern(&mut inner.pat, bound),
            Pat::Paren(inner) => self.pattern(&mut inner.pat, bound),
            Pat::Type(inner) => self.pattern(&mut inner.pat, bound),
            _ => {}
        }
    }

    /// The statements before an attempt's code.
    pub(super) fn fresh(&self) -> TokenStream {
        let reborrowed = self.reborrowed.iter().map(|name| {
            let unnamed = unnamed(name);
            quote! {
                #[allow(unused_variables, #unnamed reason = "an argument may be of no use")]
                let #name = &mut *#name;
            }
        });
        let cloned = self.cloned.iter().map(|(name, mutable)| {
            let mutable = mutable.then(|| quote!(mut));
            let unnamed = name.to_string().starts_with('_').then(|| {
                let unnamed = unnamed(name);
                quote!(#[allow(#unnamed reason = "an argument may be of no use")])
            });
            quote!(#unnamed let #mutable #name = ::core::clone::Clone::clone(&#name);)
        });
        let this = self.this.as_ref().map(|this| {
            let from = if this == "this" {
                quote!(self)
            } else {
                quote!(#this)
            };
            quote! {
                #[allow(unused_variables, reason = "an argument may be of no use")]
                let #this = ::core::clone::Clone::clone(&#from);
            }
        });
        quote!(#(#reborrowed)* #(#cloned)* #this)
    }
}

/// Whether a word of the code, however deep it stands, is of that kind.
pub(super) fn mentions(code: &TokenStream, is: impl Fn(&Ident) -> bool + Copy) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => is(&word),
        TokenTree::Group(group) => mentions(&group.stream(), is),
        _ => false,
    })
}

/// What clippy says of a name that says it isn't used.
fn unnamed(name: &Ident) -> Option<TokenStream> {
    name.to_string().starts_with('_').then(|| {
        quote!(
            clippy::used_underscore_binding,
            clippy::no_effect_underscore_binding,
        )
    })
}

fn mut_self(span: Span) -> TokenStream {
    let text = "`mut self` would carry one attempt's changes into the next: take `&mut self`, or `self` with `clone(self)` in `#[retry]`";
    quote_spanned!(span=> ::core::compile_error!(#text);)
}

/// `this` in place of `self`, except in paths and in items that have a `self` of their own.
fn own(code: TokenStream, this: &Ident) -> TokenStream {
    let mut found = Vec::new();
    let mut tokens = code.into_iter().peekable();
    // What ends the item that is passed on as it is.
    let mut item: Option<fn(&TokenTree) -> bool> = None;
    while let Some(token) = tokens.next() {
        if let Some(ends) = item {
            if ends(&token) {
                item = None;
            }
            found.push(token);
            continue;
        }
        match token {
            TokenTree::Ident(word) if word == "self" => {
                let path = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                let word = if path {
                    word
                } else {
                    Ident::new(&this.to_string(), this.span().located_at(word.span()))
                };
                found.push(TokenTree::Ident(word));
            }
            TokenTree::Ident(word) => {
                if word == "use" {
                    item = Some(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'));
                } else if word == "impl" || word == "trait" {
                    item = Some(
                        |token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
                    );
                }
                found.push(TokenTree::Ident(word));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), own(group.stream(), this));
                inner.set_span(group.span());
                found.push(TokenTree::Group(inner));
            }
            other => found.push(other),
        }
    }
    found.into_iter().collect()
}
