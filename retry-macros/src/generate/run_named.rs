//! A named policy in place.
//!
//! Its executor knows nothing of the operation's borrows, so the operation stays here: the run asks through a `Port` for
//! each attempt, and gets the answer through it.

use proc_macro2::TokenStream;
use quote::quote;
use retry_syntax::ast::{Operation, RunNamed};

use super::body::var;
use super::in_place::{spliced, typed};

pub(super) fn run_named(run: &RunNamed, facade: &TokenStream) -> TokenStream {
    let rt = quote!(#facade::__private);
    let policy = &run.policy;
    let operations = &run.operations;
    if let [(None, operation)] = &operations[..] {
        let cx = var("cx");
        let (before, future) = match operation {
            Operation::Closure(closure) => (None, spliced(&rt, closure, &cx)),
            Operation::Expr(expr) => {
                let name = var("operation");
                (
                    Some(quote!(let mut #name = #rt::operation(#expr);)),
                    quote!(#name(#cx)),
                )
            }
        };
        let moves = match operation {
            Operation::Closure(closure) => closure.move_token.clone(),
            Operation::Expr(_) => None,
        };
        let result = ported(&rt, policy, &cx, &future, run.head.interrupted.as_ref());
        return quote!(async #moves { #before #result });
    }
    let setters = operations.iter().filter_map(|(name, operation)| {
        let name = name.as_ref()?;
        let operation = match operation {
            Operation::Closure(closure) => {
                let param = typed(&rt, closure);
                let (word, moves, body) = (&closure.async_token, &closure.move_token, &closure.body);
                if let Some(output) = &closure.output {
                    quote!(#word #moves |#param| -> #output #body)
                } else {
                    quote!(#word #moves |#param| #body)
                }
            }
            Operation::Expr(expr) => expr.clone(),
        };
        Some(quote!(.#name(#operation)))
    });
    let all = quote!(<#policy>::new() #(#setters)*);
    match &run.head.interrupted {
        None => quote!(#all.run()),
        Some(interrupted) => {
            let (failure, value) = (var("failure"), var("value"));
            quote! {
                async {
                    match #all.run_detailed().await {
                        ::core::result::Result::Ok(#value) => ::core::result::Result::Ok(#value),
                        ::core::result::Result::Err(#failure) => {
                            ::core::result::Result::Err(#failure.into_error_or(#interrupted))
                        }
                    }
                }
            }
        }
    }
}

/// Runs a named policy around `future`, an expression of one attempt's future; its value is a `Result`.
pub(super) fn ported(
    rt: &TokenStream,
    policy: &TokenStream,
    cx: &proc_macro2::Ident,
    future: &TokenStream,
    interrupted: Option<&TokenStream>,
) -> TokenStream {
    let (port, run, result, place) = (var("port"), var("run"), var("result"), var("place"));
    let (failure, value) = (var("failure"), var("value"));
    let start = if interrupted.is_none() {
        quote!(<#policy>::run(|#cx| #port.ask(#cx)))
    } else {
        quote!(<#policy>::run_detailed(|#cx| #port.ask(#cx)))
    };
    let ended = match interrupted {
        None => quote!(#result),
        Some(interrupted) => quote! {
            match #result {
                ::core::result::Result::Ok(#value) => ::core::result::Result::Ok(#value),
                ::core::result::Result::Err(#failure) => {
                    ::core::result::Result::Err(#failure.into_error_or(#interrupted))
                }
            }
        },
    };
    quote! {{
        const { #rt::one_at_a_time(&<#policy>::POLICY) };
        let #port = #rt::Port::new();
        let mut #run = ::core::pin::pin!(#start);
        let #result = loop {
            if let ::core::option::Option::Some(#result) = #port.next(#run.as_mut()).await {
                break #result;
            }
            let (#cx, #place) = #port.asked();
            if let ::core::option::Option::Some(#result) = #port.serve(#run.as_mut(), #place, #future).await {
                break #result;
            }
        };
        #ended
    }}
}
