//! Whatever tokens come: no panic, and a policy without a fault or at least one error with a place.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use retry_syntax::ast::{FnPolicy, Input, Node};
use retry_syntax::{lower, parse};

const VALID: [&str; 8] = [
    "/// One.\n #[allow(cannot_fit, reason = \"x\")] pub struct A<T: B> where T: C { type Error = E; deadline(2s) { retry(attempts = 3, backoff = exponential(100ms, factor = 1.5, max = 1s), jitter = full, when = E::is, budget = a::P) { attempt(500ms) } } }",
    "struct B { deadline(1s) { parallel { a: retry(attempts = ..=2, backoff = schedule(1ms, ..), jitter = spread(0.2)) { attempt(200ms) }, b: hedge(after = 80ms, copies = 2) { attempt(takes = 1ms..=3ms) } } } } struct C { attempts = 3, attempt = 1s }",
    "struct D { allowance(K = 3) { fallback { a: call(x::P), b: race { c: attempt, d: timeout(L) { attempt({ X }) } } } } }",
    "attempts = 3, attempt = 500ms, deadline = 2s, after = 1ms, copies = 2, async move |cx| -> Result<A, B> { f(cx).await }",
    "Charge<A, B>, profile = async |_| a().await, orders = fetch",
    "type Error = E; interrupted = |i| E(i, 1); crate = a::b; move series { a: #[expect(no_jitter)] attempt(200ms) async |_| { x::<A, B>() }, b: retry(attempts = unlimited, retry_after = |e| e.x(), retry_after_max = 1s) { attempt async |_| 3 } }",
    "attempts = 3, attempt = 500ms, context = cx, clone(a, b), export = P, calls(x::Y, Z), interrupted = |i| i, idempotency_key = k(1, 2)",
    "deadline(2s) { retry(attempts = 3) { attempt(500ms) } }, idempotent = false, crate = a",
];

const WORDS: [&str; 64] = [
    "attempt",
    "call",
    "timeout",
    "deadline",
    "retry",
    "hedge",
    "series",
    "parallel",
    "fallback",
    "race",
    "allowance",
    "attempts",
    "backoff",
    "jitter",
    "budget",
    "when",
    "until",
    "timeouts",
    "takes",
    "idempotent",
    "idempotency_key",
    "after",
    "copies",
    "factor",
    "max",
    "exponential",
    "schedule",
    "none",
    "full",
    "spread",
    "unlimited",
    "struct",
    "type",
    "Error",
    "crate",
    "move",
    "async",
    "pub",
    "a",
    "B",
    "retries",
    "x",
    "=",
    ",",
    ":",
    ";",
    ".",
    "|",
    "<",
    ">",
    "-",
    "#",
    "&",
    "'a",
    "3",
    "0",
    "0.5",
    "500ms",
    "1min30s",
    "\"800ms\"",
    "0x1ms",
    "99999999999999999999999999999999999999999s",
    "1e30s",
    "5m",
];

/// A tree's indices are its preorder, its sizes add up, and it becomes a tree of the planner's.
fn is_whole(root: &Node) {
    let _ = lower::lower("P", &[], root, &mut |_| None);
    let _ = lower::policy_tokens("P", &[], root, &TokenStream::new());
    for (place, node) in root.preorder().into_iter().enumerate() {
        assert_eq!(node.index, place, "indices are the preorder");
        let inside: usize = node.kind.children().iter().map(|child| child.size).sum();
        assert_eq!(
            node.size,
            inside + 1,
            "a node's size is that of what it holds, and one"
        );
    }
}

fn holds(text: &str) {
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    let (input, errors) = parse::policy(tokens.clone());
    assert!(
        input.is_some() || !errors.is_empty(),
        "neither a policy nor an error: {text}"
    );
    match &input {
        Some(Input::Policies(policies)) => policies.iter().for_each(|policy| is_whole(&policy.root)),
        Some(Input::InPlace(place)) => is_whole(&place.root),
        Some(Input::RunNamed(_)) | None => {}
    }
    let (args, _, function_errors) = parse::function(tokens.clone(), vec![tokens.clone()]);
    if let FnPolicy::Tree(root) = &args.policy {
        is_whole(root);
    }
    let (_, file_errors) = parse::policies(tokens);
    let lines = text.lines().count().max(1);
    for fault in errors
        .all()
        .iter()
        .chain(function_errors.all())
        .chain(file_errors.all())
    {
        assert!(!fault.message.is_empty());
        assert!(
            fault.span.start().line <= lines,
            "an error outside of the text: {fault:?}"
        );
    }
}

/// One token of the tree at any depth is dropped, doubled, or replaced.
fn mutate(tokens: TokenStream, at: &mut usize, change: usize, word: &str) -> TokenStream {
    let mut mutated = TokenStream::new();
    for token in tokens {
        let hit = *at == 0;
        *at = at.wrapping_sub(1);
        let token = match token {
            TokenTree::Group(group) if !hit => {
                let inside = mutate(group.stream(), at, change, word);
                Group::new(group.delimiter(), inside).into()
            }
            token => token,
        };
        if !hit {
            mutated.extend([token]);
            continue;
        }
        let new: TokenStream = word.parse().unwrap_or_default();
        match change {
            0 => {}
            1 => mutated.extend([token.clone(), token]),
            2 => mutated.extend(new),
            3 => mutated.extend(TokenStream::from(token).into_iter().chain(new)),
            _ => mutated.extend([TokenTree::from(Group::new(Delimiter::Brace, token.into()))]),
        }
    }
    mutated
}

fn count(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => 1 + count(group.stream()),
            _ => 1,
        })
        .sum()
}

fn soup() -> impl Strategy<Value = String> {
    let word = select(WORDS.to_vec()).prop_map(ToOwned::to_owned);
    word.prop_recursive(5, 60, 8, |inner| {
        let row = proptest::collection::vec(inner, 0..8).prop_map(|words| words.join(" "));
        (row, select(vec![("(", ")"), ("{", "}"), ("[", "]"), ("", "")]))
            .prop_map(|(row, (open, close))| format!("{open} {row} {close}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup_is_answered(rows in proptest::collection::vec(soup(), 0..12)) {
        holds(&rows.join(" "));
    }

    #[test]
    fn soup_inside_a_policy_is_answered(row in soup(), more in soup()) {
        holds(&format!("struct A {{ {row} {more} }}"));
        holds(&format!("struct A {{ retry(attempts = 3, {row}) {{ {more} }} }}"));
        holds(&format!("deadline(1s) {{ series {{ a: {row}, b: {more} }} }}"));
    }

    #[test]
    fn mutated_policies_are_answered(
        valid in select(VALID.to_vec()),
        changes in proptest::collection::vec((any::<Index>(), 0..5_usize, select(WORDS.to_vec())), 1..6),
    ) {
        let mut tokens: TokenStream = valid.parse().expect("lexes");
        for (at, change, word) in changes {
            let all = count(tokens.clone());
            if all == 0 {
                break;
            }
            tokens = mutate(tokens, &mut at.index(all), change, word);
        }
        holds(&tokens.to_string());
    }

    #[test]
    fn a_policy_cut_off_while_it_is_typed_is_answered(valid in select(VALID.to_vec()), at in any::<Index>()) {
        let cut = at.index(valid.len() + 1);
        if let Some(text) = valid.get(..cut) {
            let mut closed = text.to_owned();
            let mut open = Vec::new();
            for c in text.chars() {
                match c {
                    '(' => open.push(')'),
                    '{' => open.push('}'),
                    '[' => open.push(']'),
                    ')' | '}' | ']' => drop(open.pop()),
                    _ => {}
                }
            }
            closed.extend(open.into_iter().rev());
            holds(&closed);
        }
    }
}

#[test]
fn the_valid_ones_are_valid() {
    for text in VALID {
        let tokens: TokenStream = text.parse().expect("lexes");
        let policy = parse::policy(tokens.clone()).1;
        let function = parse::function(tokens, Vec::new()).2;
        assert!(
            policy.is_empty() || function.is_empty(),
            "{text}: {policy:?} {function:?}"
        );
    }
}

#[test]
fn a_thousand_levels_are_refused_and_not_overrun() {
    let text = format!(
        "struct A {{ {} attempt {} }}",
        "timeout(1s) { ".repeat(1_000),
        "}".repeat(1_000)
    );
    let (_, errors) = parse::policy(text.parse().expect("lexes"));
    assert_eq!(errors.all().len(), 1);
}
