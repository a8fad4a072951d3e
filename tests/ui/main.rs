//! What compiles and runs, and what is refused with which words: `ui-tests/`.
//!
//! One case: `cargo test --all-features --test ui what_is_refused -- trybuild=cannot_fit.rs`; `TRYBUILD=overwrite` pins what it says.

mod catalogue;
mod offers;

#[test]
fn what_is_refused_is_told_in_these_words() {
    trybuild::TestCases::new().compile_fail("ui-tests/fail/*.rs");
}

#[test]
fn what_compiles_runs() {
    trybuild::TestCases::new().pass("ui-tests/pass/*.rs");
}
