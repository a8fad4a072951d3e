//! Whatever text comes: no panic, and a policy or at least one error.
//!
//! `cargo +nightly fuzz run policy`

#![no_main]

use libfuzzer_sys::fuzz_target;
use retry_syntax::parse;

fuzz_target!(|text: &str| {
    let Ok(tokens) = text.parse::<proc_macro2::TokenStream>() else { return };
    let (input, errors) = parse::policy(tokens.clone());
    assert!(input.is_some() || !errors.is_empty(), "neither a policy nor an error");
    let _ = parse::function(tokens.clone(), Vec::new());
    let _ = parse::policies(tokens);
});
