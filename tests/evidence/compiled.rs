//! Evidence 2: policies that the macro compiled, side by side with the interpreter.
//!
//! `compiled/list.rs` is written by [`listed`] from the trees of the family and from random ones; that it is what would be
//! written now is tested. Each named policy is compiled by `retry_policy!`, and its own words are loaded as a text; a policy with
//! `until`, which looks at values of a type that a named policy can't know, is compiled in place. Both run under the same
//! scripts and must do the same at the same times; what a policy calls is the macro's in the one run, the interpreter's in the
//! other.
//!
//! Branches of which one wins have values of one type in what the macro compiles, as everything in Rust that is one of several
//! (`ui-tests/fail/branches_of_two_types.rs`). The interpreter tells such values apart as it runs, and Evidence 1 executes them.

use std::fmt::Write;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use retry_plan::dynamic::{DynPolicy, Loader, Several};
use retry_plan::planner::{Kind, Level, Lint, Node, Policy};
use retry_plan::{Budget, retry_policy};

use crate::case::{self, Case, Compiled};
use crate::enumerated::keeps_time;
use crate::execute::{Told, Watched, drawing, paused};
use crate::family::family;
use crate::kept::kept;
use crate::random::Random;
use crate::report::Section;
use crate::script::{Oops, Script, scripts};
use crate::tree::{self, Tree};

static K: Budget = Budget::unlimited();
static J: Budget = Budget::unlimited();

/// One named policy of the list.
struct Entry {
    tree: Policy<'static>,
    text: &'static str,
    run: Compiled,
}

type RunningInPlace<'w> = Pin<Box<dyn Future<Output = Result<(), Oops>> + Send + 'w>>;

/// One policy in place: its words without its code, and the run of it.
struct Placed {
    text: &'static str,
    run: for<'w> fn(&'w Watched<'w>) -> RunningInPlace<'w>,
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
        retry_policy! {
            #[allow(
                impossible, unreachable, never_fires, cannot_fit, retry_budget_exceeded, unbounded, no_attempt_timeout,
                hot_loop, amplification, no_jitter, no_cap, useless_hedge, reason = "what is found runs as well"
            )]
            struct $name { type Error = Oops; $($words)* }
        }
    };
    (@run $watched:ident $name:ident) => {
        Box::pin(async { $name::run_detailed(|attempt| $watched.only(attempt)).await.map(drop) })
    };
    (@run $watched:ident $name:ident $($leaf:ident)*) => {
        Box::pin(async {
            let run = $name::new()$(.$leaf(|attempt| $watched.call(stringify!($leaf), attempt)))*;
            run.run_detailed().await.map(drop)
        })
    };
}

/// The same for policies in place, whose leaves hold their code.
macro_rules! placed {
    ($watched:ident: $($text:literal { $($words:tt)* })*) => {
        const PLACED: &[Placed] = &[$(Placed {
            text: $text,
            run: |$watched| Box::pin(async {
                retry_policy! {
                    type Error = Oops;
                    #[allow(
                        impossible, unreachable, never_fires, cannot_fit, retry_budget_exceeded, unbounded,
                        no_attempt_timeout, hot_loop, amplification, no_jitter, no_cap, useless_hedge,
                        reason = "what is found runs as well"
                    )]
                    $($words)*
                }
                .await
                .map(drop)
            }),
        }),*];
    };
}

/// `until`
const fn there(value: &bool) -> bool {
    *value
}

include!("compiled/list.rs");

/// What both can run: nothing that never ends, no waits that tokio's timers can't keep, no branches of two types, and more than
/// a leaf with something around it.
fn fits(tree: &Tree) -> bool {
    if tree.any(&differs) || tree.size() < 3 {
        return false;
    }
    let nodes = case::prepared(tree, "P");
    keeps_time(&nodes)
        && case::Figures::of(&nodes).worst.is_some()
        && case::called(tree).into_iter().all(fits_called)
}

/// The same of what is called.
fn fits_called(tree: &Tree) -> bool {
    let nodes = case::prepared(tree, "P");
    !tree.any(&differs) && !tree.any(&until) && keeps_time(&nodes)
}

fn until(tree: &Tree) -> bool {
    matches!(&tree.kind, tree::Kind::Retry(retry) if retry.until)
}

/// Named policies, without `until`, which only a policy in place knows the type for; thirty of them call others.
fn chosen() -> Vec<Tree> {
    let calls = |tree: &Tree| !case::called(tree).is_empty();
    let named = |tree: &Tree| !tree.any(&until) && fits(tree);
    let enumerated = family()
        .step_by(211)
        .filter(|tree| !calls(tree) && named(tree))
        .take(140);
    let random = (0..)
        .map(|seed| Random(seed).tree(4))
        .filter(|tree| (6..=14).contains(&tree.size()) && named(tree));
    let calling = family().filter(calls).step_by(23).filter(named).take(30);
    enumerated.chain(random.take(30)).chain(calling).collect()
}

/// Policies with `until`, where it looks at one value.
fn in_place() -> Vec<Tree> {
    let one = |tree: &Tree| {
        let looks_at_several = |node: &Tree| until(node) && several(&node.kids[0]);
        case::called(tree).is_empty() && !tree.any(&looks_at_several) && fits(tree)
    };
    let enumerated = family()
        .filter(|tree| tree.any(&until))
        .step_by(37)
        .filter(one)
        .take(15);
    let random = (0..)
        .map(|seed| Random(seed).tree(4))
        .filter(|tree| (6..=14).contains(&tree.size()) && tree.any(&until) && one(tree));
    enumerated.chain(random.take(5)).collect()
}

/// Whether a value is of several parts.
fn several(tree: &Tree) -> bool {
    matches!(tree.kind, tree::Kind::Series | tree::Kind::Parallel) || tree.kids.iter().any(several)
}

/// Whether branches of which one wins have values of different types.
fn differs(tree: &Tree) -> bool {
    matches!(tree.kind, tree::Kind::Race | tree::Kind::Fallback) && tree.kids.iter().any(several)
}

/// The lines inside of a policy, its hooks by their names here.
fn inside(nodes: &[Node<'static>]) -> Vec<String> {
    let text = case::text_of(nodes)
        .replace("when = _", "when = Oops::again")
        .replace("until = _", "until = there")
        .replace("retry_after = _", "retry_after = Oops::hint");
    let lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    lines[..lines.len() - 1].to_vec()
}

/// One entry, and those of what it calls.
fn entry(tree: &Tree, name: &str, list: &mut String) {
    for (n, callee) in case::called(tree).into_iter().enumerate() {
        entry(callee, &case::callee_name(name, n), list);
    }
    let nodes = case::prepared(tree, name);
    let leaves = case::leaf_names(&nodes);
    let leaves = if leaves.len() == 1 {
        String::new()
    } else {
        leaves.join(" ")
    };
    let _ = writeln!(list, "    {name} [{leaves}] {{");
    for line in inside(&nodes) {
        let _ = writeln!(list, "    {line}");
    }
    list.push_str("    }\n");
}

/// A policy in place: its text, and the same with code in its leaves.
fn entry_in_place(tree: &Tree, name: &str, list: &mut String) {
    let nodes = case::prepared(tree, name);
    let lines = inside(&nodes);
    let mut leaves = case::leaf_names(&nodes).into_iter();
    let one = leaves.len() == 1;
    let _ = writeln!(list, "    \"struct {name} {{");
    for line in &lines {
        let _ = writeln!(list, "    {line}");
    }
    list.push_str("    }\" {\n");
    for line in &lines {
        let (words, comma) = line
            .strip_suffix(',')
            .map_or((line.as_str(), ""), |words| (words, ","));
        let word = words.trim_start();
        let is_leaf = word
            .split(": ")
            .last()
            .is_some_and(|word| word.starts_with("attempt"));
        let _ = match (is_leaf, one) {
            (false, _) => writeln!(list, "    {line}"),
            (true, true) => writeln!(list, "    {words} async |cx| watched.only(cx).await{comma}"),
            (true, false) => {
                let leaf = leaves.next().expect("a name for each leaf");
                writeln!(
                    list,
                    "    {words} async |cx| watched.call(\"{leaf}\", cx).await{comma}"
                )
            }
        };
    }
    list.push_str("    }\n");
}

/// The list as it is checked in.
fn listed() -> String {
    let mut list = String::from(
        "// Written by `RETRY_PLAN_EVIDENCE=write cargo test --test evidence --all-features the_list`.\n\nentries! {\n",
    );
    for (n, tree) in chosen().iter().enumerate() {
        entry(tree, &format!("P{n}"), &mut list);
    }
    list.push_str("}\n\nplaced! {\n    watched:\n");
    for (n, tree) in in_place().iter().enumerate() {
        entry_in_place(tree, &format!("U{n}"), &mut list);
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

fn load(text: &str, name: &str) -> DynPolicy<bool, Oops, Several> {
    let loader = Loader::new()
        .any_leaves()
        .named(name)
        .budget("K", &K)
        .budget("J", &J)
        .when("Oops::again", Oops::again)
        .until("there", there)
        .retry_after("Oops::hint", Oops::hint);
    let loader = Lint::ALL
        .into_iter()
        .fold(loader, |loader, lint| loader.level(lint, Level::Allow));
    loader
        .text(text)
        .unwrap_or_else(|refused| panic!("{refused}\n{text}"))
}

impl Entry {
    fn called(&self) -> Vec<&'static Self> {
        let of = |node: &Node<'_>| match node.kind {
            Kind::Call(callee) => ENTRIES.iter().find(|entry| entry.tree.name == callee.name),
            _ => None,
        };
        self.tree.nodes.iter().filter_map(of).collect()
    }

    /// Its words, after those of what it calls.
    fn text(&self) -> String {
        let mut text: String = self.called().iter().map(|callee| callee.text()).collect();
        text.push_str(self.text);
        text
    }

    fn case(&self) -> Case {
        let callees = self.called().iter().map(|callee| callee.case()).collect();
        let policy = load(&self.text(), self.tree.name);
        Case::loaded(self.tree.nodes.to_vec(), policy, callees, Some(self.run))
    }
}

fn kinds(tree: &Policy<'_>) -> Vec<(usize, String)> {
    tree.nodes
        .iter()
        .map(|node| (node.size, format!("{:?}", node.kind)))
        .collect()
}

/// What was run and seen.
#[derive(Default)]
struct Ran {
    runs: u64,
    calls: u64,
}

impl Ran {
    /// Runs a policy both ways under each script, and holds the ends and traces against each other.
    fn side_by_side<T: PartialEq + std::fmt::Debug>(
        &mut self,
        case: &Case,
        n: usize,
        both: impl Fn(Script) -> [(T, Told); 2],
    ) {
        for script in scripts(case, u64::try_from(n).expect("few"), 4) {
            let [compiled, loaded] = both(script);
            self.runs += 1;
            self.calls += compiled.1.all_calls;
            assert_eq!(compiled, loaded, "{script:?}\n{}", case.text());
        }
    }
}

#[test]
fn what_the_macro_compiled_and_the_interpreter_do_the_same_at_the_same_times() {
    let began = Instant::now();
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut ran = Ran::default();
    for (n, entry) in ENTRIES.iter().enumerate() {
        let case = entry.case();
        assert_eq!(case.policy.with_tree(kinds), kinds(&entry.tree), "{}", entry.text);
        ran.side_by_side(&case, n, |script| {
            [true, false].map(|compiled| {
                paused(async {
                    let watched = Watched::new(&case, script, true);
                    let watched = if compiled { watched.compiled() } else { watched };
                    let _draws = drawing(script);
                    let ended = watched.detailed().await;
                    (ended, watched.told())
                })
            })
        });
    }
    for (n, placed) in PLACED.iter().enumerate() {
        let policy = load(placed.text, &format!("U{n}"));
        let nodes = policy.with_tree(kept).expect("two budgets at most");
        let case = Case::loaded(case::named(nodes), policy, Vec::new(), None);
        ran.side_by_side(&case, n, |script| {
            [true, false].map(|compiled| {
                paused(async {
                    let watched = Watched::new(&case, script, true);
                    let _draws = drawing(script);
                    let ended = if compiled {
                        (placed.run)(&watched).await
                    } else {
                        watched.loaded().await
                    };
                    (ended, watched.told())
                })
            })
        });
    }
    let every = ENTRIES.iter().flat_map(|entry| entry.tree.nodes);
    let every_kind: std::collections::BTreeSet<_> = every
        .map(|node| format!("{:?}", core::mem::discriminant(&node.kind)))
        .collect();
    let calling = ENTRIES.iter().filter(|entry| !entry.called().is_empty()).count();
    assert!(
        ENTRIES.len() >= 150 && every_kind.len() == 11,
        "{} entries, {every_kind:?}",
        ENTRIES.len()
    );
    assert!(calling >= 20 && PLACED.len() >= 15, "{calling}, {}", PLACED.len());
    Section::new("compiled")
        .line(format!("Named policies compiled by `retry_policy!`: {}, {calling} of which call others of them; from the family and from random trees, seeds from 0. Policies in place, each with `until`: {}.", ENTRIES.len(), PLACED.len()))
        .line(format!("Run side by side with the interpreter, which loaded the same words: {} runs each, {} calls; random scripts seeded by the policy's number.", ran.runs, ran.calls))
        .line("Every attempt began and ended at the same time in both, with the same number and copy, and both ended at the same time, with the same stop, error, count and elapsed time (in place: with the same error).")
        .line("Not among them: branches of which one wins and whose values have different types, since the macro's have one type.")
        .took(began.elapsed())
        .settle();
}
