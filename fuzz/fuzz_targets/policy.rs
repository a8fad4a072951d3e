//! A policy text is planned and executed under scripted adversaries.
//!
//! What is checked stands in `tests/evidence/fuzzed.rs`, where a short run of it is a test.

#![no_main]
#![allow(dead_code, reason = "each target uses a part of the evidence")]

#[path = "../../tests/evidence/aim.rs"]
mod aim;
#[path = "../../tests/evidence/case.rs"]
mod case;
#[path = "../../retry-planner/tests/model/convert.rs"]
mod convert;
#[path = "../../tests/evidence/execute.rs"]
mod execute;
#[path = "../../tests/evidence/fuzzed.rs"]
mod fuzzed;
#[path = "../../tests/evidence/kept.rs"]
mod kept;
#[path = "../../retry-planner/tests/model/random.rs"]
mod random;
#[path = "../../tests/evidence/script.rs"]
mod script;
#[path = "../../retry-planner/tests/model/tree.rs"]
mod tree;

libfuzzer_sys::fuzz_target!(|text: &str| {
    fuzzed::policy(text);
});
