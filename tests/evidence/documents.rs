//! Evidence 3: every policy that README, docs and examples show is executed against its plan.
//!
//! The files are read as they are. What stands in `retry_policy!` and in `#[retry]` is parsed by the macro's own parser. What
//! isn't executed is counted, each for its reason: it names constants, which only the compiler knows; it runs a policy that is
//! written elsewhere; it is shown as refused; or it is a fragment with an ellipsis in it. Anything else that can't be parsed is a
//! failure of the test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use retry_plan::Plan;
use retry_syntax::ast::{self, FnPolicy, Input, LevelAttr};
use retry_syntax::lower::{OwnedCallee, OwnedPolicy, lower};
use retry_syntax::parse;

use crate::case::{Budgets, Case, How};
use crate::enumerated::Counts;
use crate::execute::paused;
use crate::kept::kept;
use crate::report::{self, Section};

static BUDGETS: Budgets = Budgets::NEW;

/// What a file holds.
#[derive(Default)]
struct Found {
    shown: Vec<Shown>,
    /// Uses of policies that are written elsewhere.
    elsewhere: u32,
    /// With an ellipsis for what the text doesn't say.
    fragments: u32,
    /// What nobody meant to be skipped.
    unread: Vec<String>,
}

impl Found {
    fn unread(&mut self, words: &str) {
        if words.contains('…') || words.contains("...") {
            self.fragments += 1;
        } else {
            self.unread.push(words.to_owned());
        }
    }
}

/// A policy as a file shows it.
struct Shown {
    name: String,
    levels: Vec<LevelAttr>,
    root: ast::Node,
}

/// All files of a folder and of those inside it.
fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "md") {
            into.push(path);
        }
    }
}

/// What stands between the bracket at the beginning and the one that closes it.
fn bracketed(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '"' if before != '\\' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return text.get(1..at);
                }
            }
            _ => {}
        }
        before = character;
    }
    None
}

/// The code of a file: all of a program, and the blocks of a text; and how many policies the blocks hold that are shown as refused.
fn code(path: &Path) -> (Vec<String>, u32) {
    let text = fs::read_to_string(path).expect("a file");
    if path.extension().is_some_and(|kind| kind == "rs") {
        return (vec![text], 0);
    }
    let mut blocks = Vec::new();
    let mut refused = 0;
    let mut open: Option<(bool, String)> = None;
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(kind), None) => open = Some((!kind.contains("compile_fail"), String::new())),
            (Some(_), Some(_)) => match open.take() {
                Some((true, block)) => blocks.push(block),
                Some((false, block)) => refused += policies(&block),
                None => {}
            },
            (None, Some((_, block))) => {
                // A line that a documentation test hides is code as well.
                let line = line.strip_prefix("# ").unwrap_or(line);
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }
    (blocks, refused)
}

const MACRO: &str = "retry_policy!";
const ATTRIBUTE: &str = "#[retry(";

fn policies(code: &str) -> u32 {
    let found = code.matches(MACRO).count() + code.matches(ATTRIBUTE).count();
    u32::try_from(found).expect("few")
}

/// The policies of some code; what is only spoken of, in a comment or in a text, has no bracket of its own.
fn shown(code: &str, into: &mut Found) {
    for (at, _) in code.match_indices(MACRO) {
        let rest = code[at + MACRO.len()..].trim_start();
        if !rest.starts_with(['(', '{', '[']) {
            continue;
        }
        let Some(words) = bracketed(rest) else {
            into.unread(rest.lines().next().unwrap_or_default());
            continue;
        };
        match words.parse().map(parse::policy) {
            Ok((Some(Input::Policies(policies)), errors)) if errors.is_empty() => {
                into.shown.extend(policies.into_iter().map(|policy| Shown {
                    name: policy.ident.to_string(),
                    levels: policy.levels,
                    root: policy.root,
                }));
            }
            Ok((Some(Input::InPlace(place)), errors)) if errors.is_empty() => into.shown.push(Shown {
                name: "in place".to_owned(),
                levels: place.levels,
                root: place.root,
            }),
            Ok((Some(_), errors)) if errors.is_empty() => into.elsewhere += 1,
            _ => into.unread(words),
        }
    }
    for (at, _) in code.match_indices(ATTRIBUTE) {
        let rest = &code[at + ATTRIBUTE.len() - 1..];
        let words = bracketed(rest).unwrap_or_default();
        let Ok(tokens) = words.parse() else {
            into.unread(words);
            continue;
        };
        match parse::function(tokens, Vec::new()) {
            (args, _, errors) if errors.is_empty() => match args.policy {
                FnPolicy::Tree(root) => into.shown.push(Shown {
                    name: "a function".to_owned(),
                    levels: args.levels,
                    root,
                }),
                FnPolicy::Named(_) => into.elsewhere += 1,
            },
            _ => into.unread(words),
        }
    }
}

/// Lowers a policy; callees are those of the same code.
fn lowered(shown: &Shown, all: &[Shown], depth: usize) -> Option<OwnedPolicy> {
    let mut callee = |path: &_| {
        let name = ToString::to_string(path).replace(' ', "");
        let name = name.rsplit("::").next().unwrap_or_default().to_owned();
        let found = all.iter().find(|other| other.name == name && depth < 4)?;
        let policy = lowered(found, all, depth + 1)?;
        Some(policy.with(|policy| OwnedCallee::of(&Plan::of(policy).callee())))
    };
    let (policy, unknown) = lower(&shown.name, &shown.levels, &shown.root, &mut callee);
    unknown.is_empty().then_some(policy)
}

#[test]
fn every_policy_in_readme_docs_and_examples_keeps_its_plan() {
    let began = Instant::now();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("README.md")];
    files(&root.join("docs"), &mut paths);
    files(&root.join("examples"), &mut paths);
    let how = How {
        budgets: &BUDGETS,
        shut: false,
    };
    let mut counts = Counts::default();
    let mut by_file: BTreeMap<String, u32> = BTreeMap::new();
    let (mut constants, mut refused) = (0, 0);
    let (mut elsewhere, mut fragments, mut unread) = (0, 0, Vec::new());
    for path in &paths {
        let mut found = Found::default();
        let (blocks, shown_as_refused) = code(path);
        refused += shown_as_refused;
        for code in blocks {
            shown(&code, &mut found);
        }
        elsewhere += found.elsewhere;
        fragments += found.fragments;
        let name = path.strip_prefix(root).expect("a file of the project").display();
        unread.extend(found.unread.iter().map(|words| format!("{name}: {words}")));
        for one in &found.shown {
            let nodes = lowered(one, &found.shown, 0).and_then(|policy| policy.with(kept));
            let Some(nodes) = nodes else {
                constants += 1;
                continue;
            };
            let seed = u64::from(by_file.values().sum::<u32>());
            let case = Case::of_nodes(nodes, how);
            paused(counts.judge(&case, how, seed, 20));
            *by_file.entry(name.to_string()).or_default() += 1;
        }
    }
    assert!(unread.is_empty(), "policies that can't be read: {unread:#?}");
    assert!(
        report::expect_none("a claim is broken", &counts.broken),
        "see above"
    );
    let executed: u32 = by_file.values().sum();
    println!("{by_file:?}");
    assert!(executed >= 10 && by_file.contains_key("README.md"), "{by_file:?}");
    Section::new("documents")
        .line("Every policy in README, docs and examples that names no constant was executed under the scripts of its tree, twenty of them at random. None broke a claim of its plan.")
        .told(format!(
            "These were {executed}, in {} runs. Left out were {constants} that name constants, {refused} that are shown as refused, {fragments} fragments with an ellipsis, and {elsewhere} uses of policies that are written elsewhere.",
            counts.runs
        ))
        .took(began.elapsed())
        .settle();
}
