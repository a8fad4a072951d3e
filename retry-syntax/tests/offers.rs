//! What a denial offers first heals it: each refused policy of `ui-tests/` is changed as its text says, and planned again.

use std::fs;
use std::path::Path;

use retry_planner::{Level, Lint, Plan, Policy, plan};
use retry_syntax::lower::OwnedCallee;
use retry_syntax::text::{File, parse_str_with};

fn read(text: &str) -> File {
    let callee = |policy: &Policy<'_>| OwnedCallee::of(&Plan::of(policy).callee());
    parse_str_with(text, &callee).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

/// The first denied finding, and its text.
fn denied(text: &str) -> Option<(Lint, String)> {
    read(text).policies[0].policy.with(|policy| {
        (0..policy.nodes.len()).find_map(|node| {
            Lint::ALL.into_iter().find_map(|lint| {
                let denied = policy.nodes[node].levels.get(lint) == Level::Deny;
                let said = plan::message(policy, lint, node).filter(|_| denied)?;
                Some((lint, said.as_str().to_owned()))
            })
        })
    })
}

/// The text with the arguments of the last `word(…)` that is one of the policy's replaced.
fn with_call(text: &str, word: &str, call: &str, last: bool) -> String {
    let needle = format!("{word}(");
    let found = if last {
        text.rfind(&needle)
    } else {
        text.find(&needle)
    };
    let start = found.unwrap_or_else(|| panic!("no `{word}` in {text}"));
    let end = start + text[start..].find(')').expect("is closed") + 1;
    format!("{}{call}{}", &text[..start], &text[end..])
}

/// The text with the value of the first `key = value` replaced, or the argument added to the first `retry`.
fn with_argument(text: &str, key: &str, argument: &str) -> String {
    let needle = format!("{key} = ");
    match text.find(&needle) {
        Some(start) => {
            let length = text[start..].find([',', ')']).expect("ends");
            // A value with parentheses of its own ends behind them.
            let value = &text[start..start + length];
            let length = if value.contains('(') { length + 1 } else { length };
            format!("{}{argument}{}", &text[..start], &text[start + length..])
        }
        None => text.replacen("retry(", &format!("retry({argument}, "), 1),
    }
}

fn apply(text: &str, offer: &str, lint: Lint) -> String {
    let word = offer.split(['(', ' ']).next().unwrap_or(offer);
    match word {
        "attempts" | "copies" | "backoff" => with_argument(text, word, offer),
        "idempotency_key" => text.replacen("idempotent = false", "idempotent = false, idempotency_key", 1),
        "attempt" if text.contains("attempt(") => with_call(text, word, offer, true),
        "attempt" => text.replacen("attempt\n", &format!("{offer}\n"), 1),
        // The limit that never fires is the inner one.
        "timeout" | "deadline" | "allowance" => with_call(text, word, offer, lint == Lint::NeverFires),
        _ => panic!("how is `{offer}` applied?"),
    }
}

/// The policies of `ui-tests/fail` whose values are all literal and that are refused for a finding.
fn refused() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/fail");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("is there") {
        let path = entry.expect("is readable").path();
        let source = fs::read_to_string(&path).expect("is text");
        if path.extension().is_some_and(|extension| extension == "rs") && source.starts_with("//! Findings: ")
        {
            let start = source.find("struct ").expect("has a policy");
            let end = source.find("\n}\n").expect("the macro ends");
            let name = path
                .file_stem()
                .expect("has a name")
                .to_string_lossy()
                .into_owned();
            found.push((name, source[start..end].to_owned()));
        }
    }
    found.sort();
    found
}

#[test]
fn the_first_offer_of_each_denial_heals_it() {
    let mut healed = Vec::new();
    for (name, text) in refused() {
        let Some((lint, said)) = denied(&text) else {
            continue;
        };
        let offers = said
            .lines()
            .find_map(|line| line.trim().strip_prefix("fits with: "));
        let offer = offers.unwrap_or_else(|| panic!("{name} offers nothing:\n{said}"));
        let first = offer.split(", or ").next().unwrap_or(offer);
        let changed = apply(&text, first, lint);
        assert_eq!(
            denied(&changed),
            None,
            "{name}: `{first}` doesn't heal\n{text}\nchanged to\n{changed}"
        );
        healed.push(lint);
    }
    assert!(healed.len() >= 12, "only {healed:?} were looked at");
}
