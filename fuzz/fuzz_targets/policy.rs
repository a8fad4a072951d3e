//! A policy text is planned and executed under scripted adversaries.
//!
//! What is checked stands in `tests/evidence/fuzzed.rs`, where a short run of it is a test.

#![no_main]
#![allow(dead_code, reason = "each target uses a part of the evidence")]

include!("evidence.rs");

libfuzzer_sys::fuzz_target!(|text: &str| {
    fuzzed::policy(text);
});
