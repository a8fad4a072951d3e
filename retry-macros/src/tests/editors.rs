//! What editors need: words and code on the spans where they were written, and one error while typing.

use proc_macro2::{LineColumn, TokenStream, TokenTree};

use super::{expand, tokens};

/// Each word with where it stands, through all groups.
fn words(tokens: TokenStream, found: &mut Vec<(String, LineColumn)>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => found.push((word.to_string(), word.span().start())),
            TokenTree::Group(group) => words(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn words_of(tokens: TokenStream) -> Vec<(String, LineColumn)> {
    let mut found = Vec::new();
    words(tokens, &mut found);
    found
}

/// The words whose items in `words::node` and `words::argument` are named.
fn documented(tokens: TokenStream) -> Vec<(String, LineColumn)> {
    let all = words_of(tokens);
    all.windows(3)
        .filter(|three| three[0].0 == "words" && ["node", "argument"].contains(&&*three[1].0))
        .map(|three| three[2].clone())
        .collect()
}

const TREE: &str = "struct Charge {
    type Error = ChargeError;
    deadline(2s) {
        retry(attempts = 3, backoff = exponential(100ms), jitter = full, when = ChargeError::is_transient) {
            attempt(500ms, takes = 10ms..=400ms, idempotency_key)
        }
    }
}";

#[test]
fn each_word_of_a_policy_is_documented_where_it_stands() {
    let source = tokens(TREE);
    let written = words_of(source.clone());
    let shown = documented(expand::policy(source));
    for word in [
        "deadline",
        "retry",
        "attempts",
        "backoff",
        "jitter",
        "when",
        "attempt",
        "takes",
        "idempotency_key",
    ] {
        let place = written.iter().find(|(text, _)| text == word).expect("is written");
        assert!(
            shown.contains(place),
            "`{word}` is not documented at {place:?}: {shown:?}"
        );
    }
}

#[test]
fn the_code_of_leaves_hooks_and_bodies_stays_where_it_was_written() {
    let place = "type Error = PageError;
deadline(1s) {
    series {
        user: attempt(200ms) async |cx| { first(cx, id).await },
        orders: retry(attempts = 2, when = |error| judge(error)) { attempt(200ms) async |_| second(user.key).await },
    }
}";
    let source = tokens(place);
    let spliced = words_of(expand::policy(source.clone()));
    let code = [
        "PageError",
        "cx",
        "first",
        "id",
        "error",
        "judge",
        "second",
        "user",
        "key",
    ];
    for (word, at) in words_of(source) {
        assert!(
            !code.contains(&&*word) || spliced.contains(&(word.clone(), at)),
            "`{word}` has left {at:?}"
        );
    }
    let item = tokens(
        "async fn charge(order: Order) -> Result<Receipt, Refused> { let sent = send(&order).await?; Ok(sent) }",
    );
    let written = words_of(item.clone());
    let spliced = words_of(expand::function(tokens("attempts = 3, attempt = 500ms"), item));
    for word in &written {
        assert!(spliced.contains(word), "{word:?} has left its place");
    }
}

/// The text up to `end`, with what is open closed.
fn cut(text: &str, end: usize) -> String {
    let text = &text[..end];
    let mut open = Vec::new();
    for letter in text.chars() {
        match letter {
            '(' => open.push(')'),
            '{' => open.push('}'),
            ')' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    let closed: String = open.into_iter().rev().collect();
    format!("{text}{closed}")
}

/// Each text that is on the way to this one and that an editor could hand to a macro.
fn on_the_way(text: &str) -> impl Iterator<Item = (String, TokenStream)> {
    (1..=text.len())
        .map(|end| cut(text, end))
        .filter_map(|typed| typed.parse().ok().map(|tokens| (typed, tokens)))
}

#[test]
fn a_policy_has_at_most_one_error_while_it_is_typed() {
    for (typed, tokens) in on_the_way(TREE) {
        let (_, errors) = retry_syntax::parse::policy(tokens);
        assert!(errors.all().len() <= 1, "{typed}\n{errors:?}");
    }
}

#[test]
fn a_policy_in_place_has_at_most_one_error_while_it_is_typed() {
    let series = "type Error = PageError;
deadline(1s) {
    series {
        user: attempt(200ms) async |cx| { first(cx, id).await },
        orders: retry(attempts = 2, when = |error| judge(error)) { attempt(200ms) async |_| second(user.key).await },
    }
}";
    let short = "attempts = 3, backoff = fixed(20ms), attempt = 200ms, deadline = 2s, async |cx| pay(cx, &order).await";
    let named = "Charge, async |cx| client.charge(&mut session, cx.remaining()).await";
    for (typed, tokens) in [series, short, named].into_iter().flat_map(on_the_way) {
        let (_, errors) = retry_syntax::parse::policy(tokens);
        assert!(errors.all().len() <= 1, "{typed}\n{errors:?}");
    }
}

#[test]
fn the_policy_of_a_function_has_at_most_one_error_while_it_is_typed() {
    let short = "attempts = 3, backoff = exponential(100ms, factor = 2, max = 1s), jitter = equal, attempt = 500ms, \
        deadline = 2s, when = |error| judge(error, mode), clone(order), export = CHARGE_PLAN, calls(pay::CHARGE_PLAN)";
    let tree =
        "deadline(2s) { retry(attempts = 3, budget = PAYMENTS) { attempt(500ms, idempotent = false) } }";
    for (typed, tokens) in [short, tree].into_iter().flat_map(on_the_way) {
        let (_, _, errors) = retry_syntax::parse::function(tokens, Vec::new());
        assert!(errors.all().len() <= 1, "{typed}\n{errors:?}");
    }
}
