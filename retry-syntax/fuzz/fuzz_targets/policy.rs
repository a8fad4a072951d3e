//! Whatever text comes: no panic, and a policy or at least one error.
//!
//! `cargo +nightly fuzz run policy`

#![no_main]

use libfuzzer_sys::fuzz_target;
use retry_syntax::ast::{FnPolicy, Input, Node};
use retry_syntax::{lower, parse};

fn is_lowered(root: &Node) {
    let _ = lower::lower("P", &[], root, &mut |_| None);
    let _ = lower::policy_tokens("P", &[], root, &proc_macro2::TokenStream::new());
}

fuzz_target!(|text: &str| {
    let Ok(tokens) = text.parse::<proc_macro2::TokenStream>() else { return };
    let (input, errors) = parse::policy(tokens.clone());
    assert!(input.is_some() || !errors.is_empty(), "neither a policy nor an error");
    match &input {
        Some(Input::Policies(policies)) => policies.iter().for_each(|policy| is_lowered(&policy.root)),
        Some(Input::InPlace(place)) => is_lowered(&place.root),
        Some(Input::RunNamed(_)) | None => {}
    }
    let (args, _, _) = parse::function(tokens.clone(), Vec::new());
    if let FnPolicy::Tree(root) = &args.policy {
        is_lowered(root);
    }
    let _ = parse::policies(tokens);
});
