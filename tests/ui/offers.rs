//! What a denial offers first heals it: each refused policy is changed as its error says, and compiles.
//!
//! The offers are read from the pinned errors, so that what is tested is what a reader would paste.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use retry_planner::{Level, Levels, Lint};

/// A refused source, and what its error says.
struct Denial {
    name: String,
    source: String,
    lint: Lint,
    /// The first offer; one of several values, if it takes several to heal.
    offer: Vec<String>,
}

/// The policies that are refused for a finding, by a literal or by a constant.
fn denials() -> Vec<Denial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui-tests/fail");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("is readable").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let source = fs::read_to_string(&path).expect("is text");
        let kinds = ["//! Findings: ", "//! Findings by const: "];
        if !kinds.iter().any(|kind| source.starts_with(kind)) {
            continue;
        }
        let error = fs::read_to_string(path.with_extension("stderr")).expect("is pinned");
        let told = |start: &str| error.lines().find_map(|line| line.trim().strip_prefix(start));
        let named = |name: &str| Lint::ALL.into_iter().find(|lint| lint.name() == name);
        let denied = |lint: &Lint| Levels::DEFAULT.get(*lint) == Level::Deny;
        let Some(lint) = told("finding: ").and_then(named).filter(denied) else {
            continue;
        };
        let name = path
            .file_stem()
            .expect("has a name")
            .to_string_lossy()
            .into_owned();
        let offers = told("fits with: ").unwrap_or_else(|| panic!("{name} offers nothing"));
        let first = offers.split(", or ").next().unwrap_or(offers);
        found.push(Denial {
            name,
            source,
            lint,
            offer: first.split(" and ").map(ToOwned::to_owned).collect(),
        });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The text with the arguments of a `word(…)` of the policy replaced.
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

fn apply(policy: &str, offer: &str, lint: Lint) -> String {
    let word = offer.split(['(', ' ']).next().unwrap_or(offer);
    match word {
        "attempts" | "copies" | "backoff" => with_argument(policy, word, offer),
        "idempotency_key" => policy.replacen("idempotent = ", "idempotency_key, idempotent = ", 1),
        "attempt" if policy.contains("attempt(") => with_call(policy, word, offer, true),
        "attempt" => policy.replacen("attempt\n", &format!("{offer}\n"), 1),
        // The limit that never fires is the inner one.
        "timeout" | "deadline" | "allowance" => with_call(policy, word, offer, lint == Lint::NeverFires),
        _ => panic!("how is `{offer}` applied?"),
    }
}

/// The source with its policy changed; what stands before the policy stays.
fn healed(denial: &Denial) -> String {
    let start = denial.source.find("retry_policy! {").expect("has a policy");
    let (before, policy) = denial.source.split_at(start);
    let policy = denial.offer.iter().fold(policy.to_owned(), |policy, offer| {
        apply(&policy, offer, denial.lint)
    });
    format!("{before}{policy}")
}

/// One module for each source, so that one compiler run judges all of them.
#[test]
fn the_first_offer_of_each_denial_heals_it() {
    let denials = denials();
    let mut program = String::from("#![allow(dead_code, unused_imports)]\n\n");
    for denial in &denials {
        let _ = writeln!(program, "mod {} {{\n{}}}\n", denial.name, healed(denial));
    }
    program.push_str("fn main() {}\n");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("offers");
    fs::create_dir_all(&folder).expect("is writable");
    let file = folder.join("healed.rs");
    fs::write(&file, program).expect("is writable");
    trybuild::TestCases::new().pass(&file);

    for lint in Lint::ALL {
        let ours = Levels::DEFAULT.get(lint) == Level::Deny && !super::catalogue::only_at_run_time(lint);
        for form in ["", "_by_const"] {
            let name = format!("{}{form}", lint.name());
            assert!(
                !ours
                    || denials
                        .iter()
                        .any(|denial| denial.name == name && denial.lint == lint),
                "no denial `{name}` was healed"
            );
        }
    }
}
