//! A function with what it calls, judged as one policy.
//!
//! `calls(pay::CHARGE_PLAN, Refund)` names plans that only const evaluation knows, also those of other crates. So the
//! planner puts them into the function's tree there, and whatever is found is told on the token that it is about: on the
//! function's own nodes, or on the path of the callee.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use retry_planner::Level;
use retry_syntax::ast::{LevelAttr, Node, NodeKind, first_span};
use retry_syntax::lower::callee_tokens;

use crate::judge::{self, Checked, Home, variant};
use crate::spans::respan;

/// What a function calls.
pub(crate) struct Chain<'a> {
    /// The function's name.
    pub(crate) name: &'a str,
    /// The paths of plans and policies.
    pub(crate) calls: &'a [TokenStream],
    /// The levels beside `#[retry]`.
    pub(crate) levels: &'a [LevelAttr],
    /// The facade's path.
    pub(crate) facade: &'a TokenStream,
    /// The function's own parameters.
    pub(crate) generics: &'a [String],
}

/// A policy with its callees inside.
pub(crate) struct Chained {
    /// As a constant expression, of the planner's `Policy<'static>`.
    pub(crate) policy: TokenStream,
    /// Its checks, as statements of the function.
    pub(crate) checks: TokenStream,
}

impl Chain<'_> {
    /// The chain of a function whose policy is written out; `policy` is the policy without its callees.
    pub(crate) fn tree(&self, root: &Node, policy: &TokenStream) -> Chained {
        let planner = self.planner();
        let leaf = root.preorder().last().copied().unwrap_or(root);
        let before = match &leaf.kind {
            NodeKind::Attempt(attempt) => {
                let declared = attempt.takes.as_ref().is_some_and(|takes| takes.max.is_some());
                usize::from(attempt.bound.is_some() || declared) + 1
            }
            _ => 2,
        };
        let first = leaf.index + before;
        let length = Literal::usize_unsuffixed(first + self.calls.len());
        let (name, callees) = (self.name, self.callees());
        let whole = quote! {
            #planner::Policy {
                name: #name,
                nodes: &#planner::calling::nodes::<#length>(&const { #policy }, &[#(#callees),*], &[]),
            }
        };
        let checks = self.checked(&whole, |constant, home| {
            let own = judge::checks(self.levels, root, each(constant), self.facade, home);
            let called = self.calls.iter().enumerate().map(|(at, path)| {
                let span = first_span(path);
                let (planner, constant) = (respan(&planner, span), respan(constant, span));
                let index = Literal::usize_unsuffixed(first + at);
                home.wrap(
                    span,
                    &quote_spanned!(span=> #planner::plan::check(&#constant, #index)),
                )
            });
            quote!(#own #(#called)*)
        });
        Chained {
            policy: whole,
            checks,
        }
    }

    /// The chain of a function under a named policy, whose tree only const evaluation knows.
    pub(crate) fn named(&self, policy: &TokenStream) -> Chained {
        let planner = self.planner();
        let span = self.calls.first().map_or_else(Span::call_site, first_span);
        let (name, callees, count) = (self.name, self.callees(), self.calls.len());
        let levels = self.levels.iter().map(|attr| {
            let lint = variant(attr.lint);
            let level = match attr.level {
                Level::Allow => quote!(Allow),
                Level::Expect => quote!(Expect),
                Level::Warn => quote!(Warn),
                Level::Deny => quote!(Deny),
            };
            quote!((#planner::Lint::#lint, #planner::Level::#level))
        });
        let whole = quote! {
            #planner::Policy {
                name: #name,
                nodes: &#planner::calling::nodes::<{ #planner::calling::length(&<#policy>::POLICY, #count) }>(
                    &<#policy>::POLICY,
                    &[#(#callees),*],
                    &[#(#levels),*],
                ),
            }
        };
        if Home::of(policy, self.generics) == Home::Instance {
            let text = "`calls` can't be judged beside a policy with generic parameters: write the policy's tree here";
            return Chained {
                policy: quote!(<#policy>::POLICY),
                checks: quote_spanned!(span=> ::core::compile_error!(#text);),
            };
        }
        let checks = self.checked(&whole, |constant, home| {
            let (planner, spanned) = (respan(&planner, span), respan(constant, span));
            let policy = respan(policy, span);
            let found = home.wrap(
                span,
                &quote_spanned!(span=> #planner::plan::check_calling(&<#policy>::POLICY, &#spanned)),
            );
            let expected = self
                .levels
                .iter()
                .filter(|attr| attr.level == Level::Expect)
                .map(|attr| (attr, 0));
            let missing = judge::expectations(expected, each(constant), self.facade, home);
            quote!(#found #missing)
        });
        Chained {
            policy: whole,
            checks,
        }
    }

    fn planner(&self) -> TokenStream {
        let facade = self.facade;
        quote!(#facade::__private::planner)
    }

    fn callees(&self) -> Vec<TokenStream> {
        self.calls.iter().map(callee_tokens).collect()
    }

    /// `check` is given an expression of the policy, and where it stands.
    fn checked(
        &self,
        policy: &TokenStream,
        check: impl Fn(&TokenStream, Home) -> TokenStream,
    ) -> TokenStream {
        let home = Home::of(policy, self.generics);
        if home != Home::Item {
            return check(&quote!((#policy)), home);
        }
        let planner = self.planner();
        let constant = Ident::new("CALLING", Span::call_site());
        let checks = check(&quote!(#constant), home);
        quote! {
            const _: () = {
                const #constant: #planner::Policy<'static> = #policy;
                #checks
            };
        }
    }
}

/// A chain that each check plans for itself: how many nodes it has is for const evaluation to say.
fn each(policy: &TokenStream) -> Checked<'_> {
    Checked {
        policy,
        judgement: None,
        unknown: None,
    }
}
