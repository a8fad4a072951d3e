#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code, reason = "each target uses a part of it")]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::chain(text));
