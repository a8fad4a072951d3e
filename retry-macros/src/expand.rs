//! The pipeline of both macros: parse, judge, generate, and the errors beside what was generated.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use retry_syntax::ast::{FnPolicy, Head, Input};
use retry_syntax::parse;

use crate::judge::Judged;
use crate::{generate, hover};

/// The facade's path: `::retry_plan`, unless the policy names another.
fn facade(head: &Head) -> TokenStream {
    head.crate_path.clone().unwrap_or_else(|| quote!(::retry_plan))
}

/// `retry_policy! { … }`
pub(crate) fn policy(tokens: TokenStream) -> TokenStream {
    let (input, errors) = parse::policy(tokens);
    let faulty = !errors.is_empty();
    let errors = errors.to_compile_errors();
    match input {
        None => errors,
        Some(Input::Policies(policies)) => {
            let mut tokens = errors;
            for policy in &policies {
                let facade = facade(&policy.head);
                let name = policy.ident.to_string();
                let judged = Judged::of(&name, &policy.levels, &policy.root, &facade, faulty);
                tokens.extend(generate::named(policy, &facade, &judged));
                tokens.extend(hover::words(&policy.root, &facade));
            }
            tokens
        }
        Some(Input::InPlace(place)) => {
            let facade = facade(&place.head);
            let judged = Judged::of("", &place.levels, &place.root, &facade, faulty);
            let words = hover::words(&place.root, &facade);
            let run = generate::in_place(&place, &facade, &judged);
            quote!({ #errors #words #run })
        }
        Some(Input::RunNamed(run)) => {
            let run = generate::run_named(&run, &facade(&run.head));
            quote!({ #errors #run })
        }
    }
}

/// `#[retry(…)] fn …`
pub(crate) fn function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let (attributes, item) = attributes(item);
    let (args, attributes, errors) = parse::function(arguments, attributes);
    let faulty = !errors.is_empty();
    let errors = errors.to_compile_errors();
    let facade = facade(&args.head);
    let (judged, words) = match &args.policy {
        FnPolicy::Tree(root) => {
            let name = generate::function_name(&item);
            (
                Some(Judged::of(&name, &args.levels, root, &facade, faulty)),
                Some(hover::words(root, &facade)),
            )
        }
        FnPolicy::Named(_) => (None, None),
    };
    let function = generate::function(&args, &attributes, item, &facade, judged.as_ref(), words);
    quote!(#errors #function)
}

/// Takes the outer attributes off an item.
fn attributes(item: TokenStream) -> (Vec<TokenStream>, TokenStream) {
    let mut attributes = Vec::new();
    let mut tokens = item.into_iter().peekable();
    while tokens
        .peek()
        .is_some_and(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#'))
    {
        let hash = tokens.next();
        let group = tokens.next_if(
            |token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket),
        );
        let whole = hash.is_some() && group.is_some();
        let attribute = hash.into_iter().chain(group).collect();
        if !whole {
            return (
                attributes,
                [attribute, tokens.collect::<TokenStream>()].into_iter().collect(),
            );
        }
        attributes.push(attribute);
    }
    (attributes, tokens.collect())
}
