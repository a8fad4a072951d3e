//! What each attempt does with the function's arguments.
//!
//! Owned ones are borrowed, `&mut` ones are reborrowed, and those that an attempt may change are cloned, so that it never
//! sees its predecessor's changes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Pat, Signature, Type};

/// The arguments of a function, with what is done before each attempt.
pub(super) struct Arguments {
    /// `&mut` arguments by name.
    reborrowed: Vec<Ident>,
    /// Cloned ones, and whether they are `mut`.
    cloned: Vec<(Ident, bool)>,
    /// What only one attempt at a time can have: where it stands, and its name.
    pub(super) exclusive: Vec<(Span, String)>,
}

impl Arguments {
    /// Takes the arguments' `mut` away, for the clones have it now; the faults are about what can't be retried.
    pub(super) fn of(signature: &mut Signature, clones: &[Ident]) -> (Self, Vec<TokenStream>) {
        let mut found = Self {
            reborrowed: Vec::new(),
            cloned: Vec::new(),
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
            if !bound.contains(clone) {
                let text = format!("`{}` has no argument `{clone}` to clone", signature.ident);
                faults.push(quote_spanned!(clone.span()=> ::core::compile_error!(#text);));
            } else if !found.cloned.iter().any(|(name, _)| name == clone) {
                found.cloned.push((clone.clone(), false));
            }
        }
        (found, faults)
    }

    fn receiver(&mut self, receiver: &syn::Receiver, faults: &mut Vec<TokenStream>) {
        let span = receiver.self_token.span;
        let text = quote!(#receiver).to_string();
        if text.starts_with("mut ") {
            let text = "`mut self` would carry one attempt's changes into the next: take `&mut self`, or `self` and clone it in the body";
            faults.push(quote_spanned!(span=> ::core::compile_error!(#text);));
        } else if text.starts_with('&') && text.contains("mut ") {
            self.exclusive.push((span, "self".to_owned()));
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
            quote!(#[allow(unused_variables, reason = "an argument may be of no use")] let #name = &mut *#name;)
        });
        let cloned = self.cloned.iter().map(|(name, mutable)| {
            let mutable = mutable.then(|| quote!(mut));
            quote!(let #mutable #name = ::core::clone::Clone::clone(&#name);)
        });
        quote!(#(#reborrowed)* #(#cloned)*)
    }
}
