//! What policies become, pinned as formatted code in `snapshots/`, for reviewers to read; and that something comes
//! of them while they are half typed.
//!
//! After a change of the generator: `INSTA_UPDATE=always cargo test -p retry-macros`, and read the difference.

mod editors;

use std::fmt::Write as _;

use insta::{assert_snapshot, with_settings};
use proc_macro2::{Group, TokenStream, TokenTree};

use crate::expand;

/// The policy as a comment, and below it the code that it becomes.
fn read(source: &str, expanded: TokenStream) -> String {
    let file = syn::parse2(without_spans(expanded)).expect("what is generated is Rust");
    let mut text = String::new();
    for line in source.lines() {
        let _ = writeln!(text, "{}", format!("// {line}").trim_end());
    }
    format!("{text}\n{}", prettyplease::unparse(&file))
}

/// The code with `…::in_span!(name, { … })` replaced by what it stands for where runs have no spans: the block.
fn without_spans(code: TokenStream) -> TokenStream {
    /// `::retry_plan::__private::`
    const PATH: usize = 8;
    let mut read: Vec<TokenTree> = Vec::new();
    let mut code = code.into_iter();
    while let Some(token) = code.next() {
        match token {
            TokenTree::Ident(word) if word == "in_span" => {
                read.truncate(read.len() - PATH);
                let arguments = code.nth(1).expect("a macro has arguments");
                let TokenTree::Group(arguments) = arguments else {
                    panic!("a macro's arguments are a group");
                };
                let block = arguments.stream().into_iter().last();
                read.extend(without_spans(block.into_iter().collect()));
            }
            TokenTree::Group(group) => {
                let inside = without_spans(group.stream());
                read.push(Group::new(group.delimiter(), inside).into());
            }
            other => read.push(other),
        }
    }
    read.into_iter().collect()
}

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("is made of tokens")
}

/// The tokens without the one at `at`, counted through all groups, and whether there are so many.
fn without(tokens: TokenStream, at: &mut usize) -> (TokenStream, bool) {
    let mut found = false;
    let mut rest = Vec::new();
    for token in tokens {
        if !found && *at == 0 {
            found = true;
            continue;
        }
        if found {
            rest.push(token);
            continue;
        }
        *at -= 1;
        rest.push(match token {
            TokenTree::Group(group) => {
                let (inside, hit) = without(group.stream(), at);
                found = hit;
                Group::new(group.delimiter(), inside).into()
            }
            token => token,
        });
    }
    (rest.into_iter().collect(), found)
}

/// Expands the source with each of its tokens missing in turn; the parser says what is wrong, and nothing panics.
fn survives(source: &str, expand: impl Fn(TokenStream) -> TokenStream) {
    for at in 0.. {
        let (less, found) = without(tokens(source), &mut at.clone());
        if !found {
            break;
        }
        assert!(
            !expand(less).is_empty(),
            "nothing comes of it without token {at}: {source}"
        );
    }
}

/// `retry_policy! { … }` as an item.
fn item(source: &str) -> String {
    survives(source, expand::policy);
    read(source, expand::policy(tokens(source)))
}

/// `retry_policy! { … }` as an expression of a function.
fn expression(source: &str) -> String {
    survives(source, expand::policy);
    let run = expand::policy(tokens(source));
    read(source, quote::quote!(async fn run() { #run.await }))
}

/// `#[retry(…)]` on a function.
fn function(arguments: &str, source: &str) -> String {
    survives(arguments, |arguments| expand::function(arguments, tokens(source)));
    survives(source, |item| expand::function(tokens(arguments), item));
    let expanded = expand::function(tokens(arguments), tokens(source));
    read(&format!("#[retry({arguments})]\n{source}"), expanded)
}

macro_rules! pinned {
    ($($name:ident: $expanded:expr;)*) => {$(
        #[test]
        fn $name() {
            with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                assert_snapshot!(stringify!($name), $expanded);
            });
        }
    )*};
}

pinned! {
    a_retry_under_a_deadline: item(
        "/// Charge a card within the two seconds that a checkout has.
pub struct Charge {
    deadline(2s) {
        retry(attempts = 3) {
            attempt(500ms)
        }
    }
}"
    );

    every_argument_of_a_retry: item(
        "struct Charge {
    type Error = ChargeError;
    retry(
        attempts = 4,
        backoff = exponential(50ms, factor = 1.5, max = 1s),
        jitter = equal,
        when = ChargeError::is_transient,
        retry_after = ChargeError::retry_after,
        retry_after_max = 1s,
        on_retry = |retrying| log(retrying),
        budget = PAYMENTS,
        timeouts = stop,
    ) {
        attempt(500ms, idempotency_key)
    }
}"
    );

    nested_limits: item(
        "struct Lookup {
    timeout(3s) {
        retry(attempts = 2, backoff = fixed(100ms)) {
            timeout(LOOKUP_LIMIT) {
                retry(attempts = 2, backoff = none) {
                    attempt(200ms)
                }
            }
        }
    }
}"
    );

    a_hedge: item(
        "struct Search {
    deadline(1s) {
        hedge(after = 80ms, copies = 2, budget = SEARCHES) {
            attempt(300ms)
        }
    }
}"
    );

    several_leaves: item(
        "pub struct LoadPage {
    deadline(1s) {
        parallel {
            profile: retry(attempts = 2) { attempt(200ms) },
            orders: fallback {
                fresh: attempt(300ms),
                cached: attempt(50ms),
            },
        }
    }
}"
    );

    a_call_under_an_allowance: item(
        "struct Checkout {
    allowance(PAYMENTS = 2) {
        series {
            reserve: retry(attempts = 2, budget = PAYMENTS) { attempt(200ms) },
            charge: call(pay::Charge),
        }
    }
}"
    );

    the_short_form: expression(
        "attempts = 3, attempt = 500ms, deadline = 2s, async |cx| client.charge(&mut session, cx.remaining()).await"
    );

    a_tree_in_place: expression(
        "type Error = PageError;
deadline(1s) {
    series {
        user: attempt(200ms) async |_| { db.user(id).await },
        orders: retry(attempts = 2) { attempt(200ms) async |_| { db.orders(user.key).await } },
    }
}"
    );

    a_named_policy_in_place: expression(
        "Charge, async |cx| client.charge(&mut session, cx.remaining()).await"
    );

    a_function: function(
        "attempts = 3, attempt = 500ms, deadline = 2s, when = ChargeError::is_transient, until = Receipt::is_settled, clone(order)",
        "pub async fn charge(client: &mut Client, order: Order) -> Result<Receipt, ChargeError> {
    client.charge(order).await
}"
    );

    a_function_of_arguments_that_can_be_copied: function(
        "attempts = 3, attempt = 500ms, deadline = 2s, when = ChargeError::is_transient, context = cx",
        "pub async fn charge(&self, order: &Order, cents: u32) -> Result<Receipt, ChargeError> {
    self.client.charge(order.id, cents, cx.number()).await
}"
    );

    a_function_that_only_waits: function(
        "attempts = 3, takes = 500ms, backoff = none, context = cx",
        "async fn charge(client: &Client, order: &Order) -> Result<Receipt, ChargeError> {
    client.charge(&order.id, cx.number()).await
}"
    );

    a_blocking_function: function(
        "attempts = 3, takes = 500ms, deadline = 2s",
        "fn read(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}"
    );
}
