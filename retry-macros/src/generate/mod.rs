//! From a policy to the code that runs it.
//!
//! [`body`] turns a tree into the statements of a run; each form puts its own operations into the leaves and its own item
//! around: [`named`], [`in_place`], [`run_named`], [`function`] (with [`arguments`], and [`copied`] for those that can be
//! copied). [`plain`] has the runs that stand in the runtime. [`delegate`] finds operations that only wait. [`docs`] writes
//! the plan, [`ended`] the error of a failed run.

mod arguments;
mod body;
mod copied;
mod delegate;
mod docs;
mod ended;
mod function;
mod hooks;
mod in_place;
mod inside;
mod named;
mod plain;
mod run_named;

use proc_macro2::TokenStream;
use retry_syntax::ast::{InPlace, NamedPolicy, RetryArgs, RunNamed};

use crate::chain::Chained;
use crate::judge::Judged;

/// A named policy; `words` document the words of its tree, inside a body.
pub(crate) fn named(
    policy: &NamedPolicy,
    facade: &TokenStream,
    judged: &Judged,
    words: TokenStream,
) -> TokenStream {
    named::named(policy, facade, judged, words)
}

/// Whether any leaf has code to run.
pub(crate) fn has_operations(place: &InPlace) -> bool {
    let leaves = place.root.leaves();
    leaves.iter().any(|leaf| in_place::operation(leaf).is_some())
}

pub(crate) fn in_place(place: &InPlace, facade: &TokenStream, judged: &Judged) -> TokenStream {
    in_place::in_place(place, facade, judged)
}

pub(crate) fn run_named(run: &RunNamed, facade: &TokenStream) -> TokenStream {
    run_named::run_named(run, facade)
}

/// What errors call a function's policy: the word behind `fn`.
pub(crate) fn function_name(item: &TokenStream) -> String {
    let mut words = item
        .clone()
        .into_iter()
        .skip_while(|token| token.to_string() != "fn");
    words.nth(1).map_or_else(String::new, |name| name.to_string())
}

/// What a function's documentation says of its plan; `written` is the policy as the user wrote it.
pub(crate) fn function_docs(args: &RetryArgs, judged: Option<&Judged>, written: &str) -> TokenStream {
    docs::function(args, judged, written)
}

/// A function; `judged` is there where its policy is a tree, `chained` where it says what it calls.
pub(crate) fn function(
    args: &RetryArgs,
    attributes: &[TokenStream],
    item: &TokenStream,
    facade: &TokenStream,
    judged: Option<&Judged>,
    chained: Option<&Chained>,
    words: &TokenStream,
) -> TokenStream {
    function::function(args, attributes, item, facade, judged, chained, words)
}
