//! The pipeline of both macros: parse, judge, generate, and the errors beside what was generated.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use retry_syntax::ast::{FnPolicy, Head, Input, LevelAttr, Node};
use retry_syntax::parse;

use crate::chain::Chain;
use crate::judge::{Checked, Home, Judged};
use crate::{generate, hooks, hover, judge};

/// The facade's path: `::retry_plan`, unless the policy names another.
fn facade(head: &Head) -> TokenStream {
    head.crate_path.clone().unwrap_or_else(|| quote!(::retry_plan))
}

/// What generated code says first, so that code and facade of two versions are refused in one sentence.
fn stamp(facade: &TokenStream) -> TokenStream {
    let version = env!("CARGO_PKG_VERSION");
    quote!(#facade::__private::version!(#version);)
}

/// `retry_policy! { … }`
pub(crate) fn policy(tokens: TokenStream) -> TokenStream {
    let (mut input, mut errors) = parse::policy(tokens);
    if let Some(Input::Policies(policies)) = &mut input {
        for policy in policies {
            hooks::of_unknown_types(policy, &mut errors);
        }
    }
    let (faulty, single) = (!errors.is_empty(), errors.all().len() == 1);
    let errors = errors.to_compile_errors();
    match input {
        None => errors,
        Some(Input::Policies(policies)) => {
            let mut tokens = errors;
            for policy in policies {
                let facade = facade(&policy.head);
                let name = policy.ident.to_string();
                let mut judged = Judged::of(&name, &policy.levels, &policy.root, &facade, faulty);
                if judged.open && judge::is_generic(&policy.generics) {
                    judged.policy = when_instantiated(&judged.policy, &facade);
                } else if judged.open {
                    let ident = &policy.ident;
                    let checked = Checked {
                        policy: &quote!(#ident::POLICY),
                        judgement: Some(&quote!(#ident::__JUDGEMENT)),
                        unknown: Some(&judged.unknown),
                    };
                    tokens.extend(judge::checks(
                        &policy.levels,
                        &policy.root,
                        checked,
                        &facade,
                        Home::Item,
                    ));
                }
                tokens.extend(stamp(&facade));
                tokens.extend(judged.told.clone());
                let words = hover::words(&policy.root, &facade);
                tokens.extend(generate::named(&policy, &facade, &judged, words));
            }
            tokens
        }
        // No run of this has a use. It may stand where items do, and only what can be an item as well is shown there.
        Some(Input::InPlace(place)) if single && !generate::has_operations(&place) => errors,
        Some(Input::InPlace(place)) => {
            let facade = facade(&place.head);
            let judged = Judged::of("", &place.levels, &place.root, &facade, faulty);
            let words = hover::words(&place.root, &facade);
            let told = &judged.told;
            let checks = judged
                .open
                .then(|| checked(&judged, &place.levels, &place.root, &facade, &[]));
            let (run, stamp) = (generate::in_place(&place, &facade, &judged), stamp(&facade));
            quote!({ #errors #stamp #told #words #checks #run })
        }
        Some(Input::RunNamed(run)) => {
            let facade = facade(&run.head);
            let (run, stamp) = (generate::run_named(&run, &facade), stamp(&facade));
            quote!({ #errors #stamp #run })
        }
    }
}

/// `#[retry(…)] fn …`
pub(crate) fn function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let (attributes, item) = attributes(item);
    let written = arguments.to_string().replace(" ,", ",");
    let (args, mut attributes, errors) = parse::function(arguments, attributes);
    let faulty = !errors.is_empty();
    let errors = errors.to_compile_errors();
    let facade = facade(&args.head);
    let (name, generics) = (generate::function_name(&item), generics(&item));
    let chain = Chain {
        name: &name,
        calls: &args.calls,
        levels: &args.levels,
        facade: &facade,
        generics: &generics,
    };
    let calls = !args.calls.is_empty() && !faulty;
    let (judged, chained, words) = match &args.policy {
        FnPolicy::Tree(root) => {
            let judged = Judged::of(&name, &args.levels, root, &facade, faulty);
            let words = hover::words(root, &facade);
            let chained = (calls && root.leaves().len() == 1).then(|| chain.tree(root, &judged.policy));
            let findings = match &chained {
                Some(chained) => chained.checks.clone(),
                None if judged.open => {
                    let (told, checks) = (
                        &judged.told,
                        checked(&judged, &args.levels, root, &facade, &generics),
                    );
                    quote!(#told #checks)
                }
                None => judged.told.clone(),
            };
            (Some(judged), chained, quote!(#words #findings))
        }
        FnPolicy::Named(policy) => {
            let chained = calls.then(|| chain.named(policy));
            let findings = chained.as_ref().map(|chained| chained.checks.clone());
            (None, chained, quote!(#findings))
        }
    };
    attributes.push(generate::function_docs(&args, judged.as_ref(), &written));
    let stamp = stamp(&facade);
    let words = quote!(#stamp #words);
    let function = generate::function(
        &args,
        &attributes,
        &item,
        &facade,
        judged.as_ref(),
        chained.as_ref(),
        &words,
    );
    quote!(#errors #function)
}

/// A policy that is checked where its parameters are known.
fn when_instantiated(policy: &TokenStream, facade: &TokenStream) -> TokenStream {
    quote! {{
        let policy = #policy;
        #facade::__private::planner::plan::check_all(&policy);
        policy
    }}
}

/// The checks of a policy that has no type: its constant comes with them.
fn checked(
    judged: &Judged,
    levels: &[LevelAttr],
    root: &Node,
    facade: &TokenStream,
    generics: &[String],
) -> TokenStream {
    let policy = &judged.policy;
    match Home::of(policy, generics) {
        Home::Item => {
            let planner = quote!(#facade::__private::planner);
            let checked = Checked {
                policy: &quote!(POLICY),
                judgement: Some(&quote!(JUDGEMENT)),
                unknown: Some(&judged.unknown),
            };
            let checks = judge::checks(levels, root, checked, facade, Home::Item);
            let judgement = judge::judgement(root, &planner);
            quote! {
                const _: () = {
                    const POLICY: #planner::Policy<'static> = #policy;
                    const JUDGEMENT: #judgement = #planner::plan::Judgement::of(&POLICY);
                    #checks
                };
            }
        }
        home => {
            let inline = quote!((#policy));
            let checked = Checked {
                policy: &inline,
                judgement: None,
                unknown: Some(&judged.unknown),
            };
            judge::checks(levels, root, checked, facade, home)
        }
    }
}

/// The names of a function's generic parameters.
fn generics(item: &TokenStream) -> Vec<String> {
    let mut tokens = item
        .clone()
        .into_iter()
        .skip_while(|token| token.to_string() != "fn")
        .skip(2);
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut begins = true;
    while let Some(token) = tokens.next() {
        match token.to_string().as_str() {
            "<" => depth += 1,
            ">" => {
                depth -= 1;
                if depth == 0 {
                    return names;
                }
            }
            "," if depth == 1 => begins = true,
            "'" => {
                tokens.next();
                begins = false;
            }
            "const" => {}
            word if depth == 1 && begins => {
                names.push(word.to_owned());
                begins = false;
            }
            _ if depth == 0 => return names,
            _ => {}
        }
    }
    names
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
