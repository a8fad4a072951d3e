//! Evidence 2: policies that the macro compiled, side by side with the interpreter.
//!
//! `compiled/list.rs` is written by [`listed`] from the trees of the family and from random ones; that it is what would be
//! written now is tested. Each entry is compiled by `retry_policy!`, and its own words are loaded as a text. Both run under the
//! same scripts and must do the same at the same times.

use std::fmt::Write;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use retry_plan::dynamic::Loader;
use retry_plan::planner::{Kind, Level, Lint, Policy};
use retry_plan::{Budget, Failure};

use crate::case::{self, Case};
use crate::enumerated::keeps_time;
use crate::execute::{Watched, drawing, paused};
use crate::family::family;
use crate::random::Random;
use crate::report::Section;
use crate::script::{Oops, scripts};
use crate::tree::{self, Tree};

static K: Budget = Budget::unlimited();
static J: Budget = Budget::unlimited();

/// How a run ended, without its value.
type Ended = Result<(), Failure<Oops>>;

type Running<'w> = Pin<Box<dyn Future<Output = Ended> + 'w>>;

/// One policy of the list.
struct Entry {
    tree: Policy<'static>,
    text: &'static str,
    run: for<'w> fn(&'w Watched<'w>) -> Running<'w>,
}

/// Compiles the entries; a policy with one leaf has none to name.
macro_rules! entries {
    ($($name:ident [$($leaf:ident)*] { $($words:tt)* })*) => {
        $(entries!(@policy $name { $($words)* });)*
        const ENTRIES: &[Entry] = &[$(Entry {
            tree: $name::POLICY,
            text: stringify!(struct $name { $($words)* }),
            run: |watched| entries!(@run watched $name $($leaf)*),
        }),*];
    };
    (@policy $name:ident { $($words:tt)* }) => {
        retry_plan::retry_policy! {
            #[allow(
                impossible, unreachable, never_fires, cannot_fit, retry_budget_exceeded, unbounded, no_attempt_timeout,
                hot_loop, amplification, no_jitter, no_cap, useless_hedge, reason = "what is found runs as well"
            )]
            struct $name { type Error = Oops; $($words)* }
        }
    };
    (@run $watched:ident $name:ident) => {
        Box::pin(async {
            $name::run_detailed(|attempt| $watched.call(stringify!($name), attempt)).await.map(drop)
        })
    };
    (@run $watched:ident $name:ident $($leaf:ident)*) => {
        Box::pin(async {
            let run = $name::new()$(.$leaf(|attempt| $watched.call(stringify!($leaf), attempt)))*;
            run.run_detailed().await.map(drop)
        })
    };
}

include!("compiled/list.rs");

/// The entries are of the family without calls, whose callees would be policies of their own, without what never ends, and
/// without `until`, which in a named policy is told a value of any type.
fn chosen() -> Vec<Tree> {
    let fits = |tree: &Tree| {
        let called = tree.any(&|tree| tree.kind == tree::Kind::Call);
        let until = tree.any(&|tree| matches!(&tree.kind, tree::Kind::Retry(retry) if retry.until));
        if called || until || tree.any(&differs) || tree.size() < 3 {
            return false;
        }
        let nodes = case::prepared(tree);
        keeps_time(&nodes) && case::Figures::of(&nodes).worst.is_some()
    };
    let enumerated = family().step_by(211).filter(fits).take(140);
    let random = (0..)
        .map(|seed| Random(seed).tree(4))
        .filter(|tree| (6..=14).contains(&tree.size()) && fits(tree));
    enumerated.chain(random.take(30)).collect()
}

/// Whether branches of which one wins have values of different types.
fn differs(tree: &Tree) -> bool {
    fn several(tree: &Tree) -> bool {
        matches!(tree.kind, tree::Kind::Series | tree::Kind::Parallel) || tree.kids.iter().any(several)
    }
    matches!(tree.kind, tree::Kind::Race | tree::Kind::Fallback) && tree.kids.iter().any(several)
}

/// The list as it is checked in.
fn listed() -> String {
    let mut list = String::from(
        "// Written by `RETRY_PLAN_EVIDENCE=write cargo test --test evidence --all-features the_list`.\n\nentries! {\n",
    );
    for (n, tree) in chosen().iter().enumerate() {
        let nodes = case::prepared(tree);
        let text = case::text_of(&nodes)
            .replace("when = _", "when = Oops::again")
            .replace("retry_after = _", "retry_after = Oops::hint");
        let inside: Vec<&str> = text.lines().skip(1).collect();
        let leaves = case::leaf_names(&nodes);
        let leaves = if leaves.len() == 1 {
            String::new()
        } else {
            leaves.join(" ")
        };
        let _ = writeln!(list, "    P{n} [{leaves}] {{");
        for line in &inside[..inside.len() - 1] {
            let _ = writeln!(list, "    {line}");
        }
        list.push_str("    }\n");
    }
    list.push_str("}\n");
    list
}

#[test]
fn the_list_is_what_would_be_written_now() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evidence/compiled/list.rs");
    let list = listed();
    if std::env::var("RETRY_PLAN_EVIDENCE").is_ok_and(|what| what == "write") {
        std::fs::write(&path, list).expect("the list can be written");
        return;
    }
    let written = std::fs::read_to_string(&path).expect("the list");
    assert!(written == list, "write the list anew: {path:?}");
}

/// Both runs of an entry are on one thread's budgets, one after the other.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn what_the_macro_compiled_and_the_interpreter_do_the_same_at_the_same_times() {
    let began = Instant::now();
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut runs, mut calls) = (0_u64, 0_u64);
    for (n, entry) in ENTRIES.iter().enumerate() {
        let loader = Loader::new()
            .any_leaves()
            .budget("K", &K)
            .budget("J", &J)
            .when("Oops::again", Oops::again)
            .retry_after("Oops::hint", Oops::hint);
        let loader = Lint::ALL
            .into_iter()
            .fold(loader, |loader, lint| loader.level(lint, Level::Allow));
        let policy = loader
            .text(entry.text)
            .unwrap_or_else(|refused| panic!("{refused}\n{}", entry.text));
        let case = Case::loaded(entry.tree.nodes.to_vec(), policy);
        let kinds = |tree: &Policy<'_>| {
            tree.nodes
                .iter()
                .map(|node| (node.size, format!("{:?}", node.kind)))
                .collect::<Vec<_>>()
        };
        assert_eq!(case.policy.with_tree(kinds), kinds(&entry.tree), "{}", entry.text);
        for script in scripts(&case, u64::try_from(n).expect("few"), 4) {
            let compiled = paused(async {
                let watched = Watched::new(&case, script, true);
                let _draws = drawing(script);
                let ended = (entry.run)(&watched).await;
                (ended, watched.told())
            });
            let loaded = paused(async {
                let watched = Watched::new(&case, script, true);
                let _draws = drawing(script);
                let ended = watched.detailed().await;
                (ended, watched.told())
            });
            runs += 1;
            calls += compiled.1.all_calls;
            assert_eq!(compiled, loaded, "{script:?}\n{}", entry.text);
        }
    }
    let kinds: std::collections::BTreeSet<_> = ENTRIES
        .iter()
        .flat_map(|entry| entry.tree.nodes)
        .map(|node| core::mem::discriminant(&node.kind))
        .map(|kind| format!("{kind:?}"))
        .collect();
    assert!(
        ENTRIES.len() >= 150 && kinds.len() >= 10,
        "{} entries, {kinds:?}",
        ENTRIES.len()
    );
    assert!(
        ENTRIES
            .iter()
            .any(|entry| matches!(entry.tree.nodes[0].kind, Kind::Race | Kind::Parallel))
    );
    Section::new("compiled")
        .line(format!("Policies compiled by `retry_policy!`: {}, from every 211th tree of the family and from random trees, seeds from 0.", ENTRIES.len()))
        .line(format!("Run side by side with the interpreter, which loaded the same words: {runs} runs each, {calls} calls; random scripts seeded by the policy's number."))
        .line("Every attempt began and ended at the same time in both, with the same number and copy, and both ended at the same time, with the same stop, error, count and elapsed time.")
        .took(began.elapsed())
        .settle();
}
