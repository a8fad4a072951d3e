//! Evidence 3: every policy that README, docs and examples show is executed against its plan.
//!
//! The files are read as they are. What stands in `retry_policy!` and in `#[retry]` is parsed by the macro's own parser; what
//! names constants, which only the compiler knows, is counted and left out, and so is what is shown as refused.

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

/// The code of a file: all of a program, and the blocks of a text that aren't shown as refused.
fn code(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file");
    if path.extension().is_some_and(|kind| kind == "rs") {
        return vec![text];
    }
    let mut blocks = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(kind), None) => open = Some((!kind.contains("compile_fail"), String::new())),
            (Some(_), Some(_)) => {
                blocks.extend(open.take().filter(|(runs, _)| *runs).map(|(_, block)| block));
            }
            (None, Some((_, block))) => {
                // A line that a documentation test hides is code as well.
                let line = line.strip_prefix("# ").unwrap_or(line);
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// The policies of some code.
fn shown(code: &str, into: &mut Vec<Shown>) {
    for (at, macro_name) in code.match_indices("retry_policy!") {
        let rest = code[at + macro_name.len()..].trim_start();
        let Some(tokens) = bracketed(rest).and_then(|inside| inside.parse().ok()) else {
            continue;
        };
        match parse::policy(tokens) {
            (Some(Input::Policies(policies)), errors) if errors.is_empty() => {
                into.extend(policies.into_iter().map(|policy| Shown {
                    name: policy.ident.to_string(),
                    levels: policy.levels,
                    root: policy.root,
                }));
            }
            (Some(Input::InPlace(place)), errors) if errors.is_empty() => into.push(Shown {
                name: "in place".to_owned(),
                levels: place.levels,
                root: place.root,
            }),
            _ => {}
        }
    }
    for (at, attribute) in code.match_indices("#[retry(") {
        let rest = &code[at + attribute.len() - 1..];
        let Some(tokens) = bracketed(rest).and_then(|inside| inside.parse().ok()) else {
            continue;
        };
        if let (args, _, errors) = parse::function(tokens, Vec::new())
            && errors.is_empty()
            && let FnPolicy::Tree(root) = args.policy
        {
            let name = "a function".to_owned();
            let levels = args.levels;
            into.push(Shown { name, levels, root });
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
    let mut left_out = 0;
    for path in &paths {
        let mut all = Vec::new();
        for code in code(path) {
            shown(&code, &mut all);
        }
        for one in &all {
            let nodes = lowered(one, &all, 0).and_then(|policy| policy.with(kept));
            let Some(nodes) = nodes else {
                left_out += 1;
                continue;
            };
            let seed = u64::from(by_file.values().sum::<u32>());
            let case = Case::of_nodes(nodes, how);
            paused(counts.judge(&case, how, seed, 20));
            let name = path.strip_prefix(root).expect("a file of the project");
            *by_file.entry(name.display().to_string()).or_default() += 1;
        }
    }
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
            "These were {executed} of {} policies, in {} runs.",
            executed + left_out,
            counts.runs
        ))
        .took(began.elapsed())
        .settle();
}
