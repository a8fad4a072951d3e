//! What the fuzz targets do with an input, and a short run of it over the corpora and mutations of them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use retry_plan::dynamic::{Document, DynPolicy, Loader, Place, Several};
use retry_plan::planner::{Attempts, Backoff, Kind, Level, Lint, Policy, Range};

use crate::case::{Budgets, Case, How};
use crate::execute::{broken, execute, shown};
use crate::kept::kept;
use crate::script::{Oops, scripts};

static BUDGETS: Budgets = Budgets::NEW;
static ALONE: Mutex<()> = Mutex::new(());

type Any = Loader<bool, Oops, Several>;

fn loader() -> Any {
    Loader::new()
        .any_leaves()
        .budget("K", &BUDGETS.open[0])
        .budget("J", &BUDGETS.open[1])
        .when("_", Oops::again)
        .until("_", |there: &bool| *there)
        .retry_after("_", Oops::hint)
        .on_retry("_", |_| {})
}

/// Whatever is found, it runs.
fn lenient() -> Any {
    let all = Lint::ALL.into_iter();
    all.fold(loader(), |loader, lint| loader.level(lint, Level::Allow))
}

fn kinds(tree: &Policy<'_>) -> Vec<(usize, String)> {
    tree.nodes
        .iter()
        .map(|node| (node.size, format!("{}{:?}", node.name, node.kind)))
        .collect()
}

/// A text is a policy that reads back as it is printed and keeps its plan, or it is refused with places inside of it. Whether
/// it was run.
pub(crate) fn policy(text: &str) -> bool {
    if let Err(refused) = loader().text(text) {
        assert!(!refused.faults().is_empty());
        let lines = text.lines().count().max(1);
        for fault in refused.faults() {
            let Place::Text { line, column } = *fault.place() else {
                panic!("{fault}");
            };
            assert!((1..=lines).contains(&line) && column > 0, "{fault}");
        }
    }
    // Of several policies, `Page` is meant.
    let [one, page] = [lenient(), lenient().named("Page")].map(|loader| loader.text(text));
    one.or(page).is_ok_and(|policy| {
        again(&policy);
        run(&policy)
    })
}

/// A document is a policy that reads back as it is written, or it is refused with the fields that are wrong. Whether it was run.
pub(crate) fn document(text: &str) -> bool {
    let Ok(document) = serde_json::from_str::<Document>(text) else {
        return false;
    };
    if let Err(refused) = loader().document(&document) {
        assert!(!refused.faults().is_empty());
        for fault in refused.faults() {
            assert!(
                matches!(fault.place(), Place::Document(path) if !path.is_empty()),
                "{fault}"
            );
        }
    }
    lenient().document(&document).is_ok_and(|policy| {
        if !calls(&policy) {
            let written = policy.with_tree(Document::of);
            let read = lenient()
                .document(&written)
                .unwrap_or_else(|refused| panic!("{refused}\n{written:?}"));
            assert_eq!(read.with_tree(kinds), policy.with_tree(kinds));
        }
        run(&policy)
    })
}

fn calls(policy: &DynPolicy<bool, Oops, Several>) -> bool {
    policy.with_tree(|tree| tree.nodes.iter().any(|node| matches!(node.kind, Kind::Call(_))))
}

fn again(policy: &DynPolicy<bool, Oops, Several>) {
    // What a text calls is another policy of the text.
    if calls(policy) {
        return;
    }
    let printed = policy.with_tree(retry_syntax::text::print);
    let read = lenient()
        .text(&printed)
        .unwrap_or_else(|refused| panic!("{refused}\n{printed}"));
    assert_eq!(read.with_tree(kinds), policy.with_tree(kinds), "{printed}");
}

/// Runs what tokio's timers can keep, and what ends soon enough.
fn run(policy: &DynPolicy<bool, Oops, Several>) -> bool {
    let small =
        |tree: &Policy<'_>| tree.nodes.len() <= 40 && tree.nodes.iter().all(|node| keeps_time(&node.kind));
    if !policy.with_tree(small) {
        return false;
    }
    let Some(nodes) = policy.with_tree(kept) else {
        return false;
    };
    let how = How {
        budgets: &BUDGETS,
        shut: false,
    };
    let case = Case::of_nodes(nodes, how);
    if case.figures.calls.is_none_or(|calls| calls > 200) || case.figures.worst.is_none() {
        return false;
    }
    // What one test spends is not what another does.
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    crate::execute::paused(async {
        for script in scripts(&case, 1, 2) {
            let told = execute(&case, script, &BUDGETS, false).await;
            if let Some(why) = broken(&case.figures, &told) {
                panic!("{}", shown(&case, script, 1, &why, &told));
            }
        }
    });
    true
}

/// Whether every time is in whole milliseconds, and short.
fn keeps_time(kind: &Kind<'_>) -> bool {
    let whole =
        |time: &Range| time.hi.subsec_nanos().is_multiple_of(1_000_000) && time.hi <= Duration::from_secs(8);
    match kind {
        Kind::Attempt(attempt) => {
            let takes = attempt.takes.iter();
            attempt.bound.iter().all(whole)
                && takes
                    .clone()
                    .all(|takes| whole(&takes.min) && takes.max.iter().all(whole))
        }
        Kind::Timeout(limit) | Kind::Deadline(limit) => whole(limit),
        Kind::Hedge(hedge) => whole(&hedge.after) && hedge.copies.hi <= 8,
        Kind::Retry(retry) => {
            let last = match retry.attempts {
                Attempts::Exactly(n) | Attempts::UpTo(n) => n.hi.min(200),
                Attempts::Unlimited => 8,
            };
            let waits = match retry.backoff {
                Backoff::Schedule { waits, .. } => waits.iter().all(whole),
                _ => true,
            };
            waits
                && retry.hint.iter().all(|hint| hint.max.iter().all(whole))
                && (1..last).all(|k| whole(&retry.interval(k)))
        }
        Kind::Call(callee) => {
            callee.worst.is_some_and(|worst| whole(&Range::exact(worst))) && whole(&Range::exact(callee.best))
        }
        _ => true,
    }
}

#[cfg(test)]
mod short_run {
    use std::fs;
    use std::path::Path;

    use crate::random::Random;

    /// The inputs of a target that are checked in.
    fn corpus(target: &str) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fuzz/corpus")
            .join(target);
        let mut paths: Vec<_> = fs::read_dir(folder)
            .expect("a corpus")
            .map(|entry| entry.expect("a file").path())
            .collect();
        paths.sort();
        paths
            .iter()
            .map(|path| fs::read_to_string(path).expect("a text"))
            .collect()
    }

    /// Words and numbers apart from everything else.
    fn pieces(text: &str) -> Vec<&str> {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = if word(first) {
                rest.find(|c| !word(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            pieces.push(&rest[..end]);
            rest = &rest[end..];
        }
        pieces
    }

    /// One to three pieces dropped, doubled, or taken from elsewhere.
    fn mutated(random: &mut Random, text: &str, others: &[&str]) -> String {
        let mut all = pieces(text);
        let mut below =
            |n: usize| usize::try_from(random.below(u64::try_from(n.max(1)).expect("few"))).expect("few");
        for _ in 0..=below(3) {
            let at = below(all.len());
            match below(4) {
                0 if !all.is_empty() => drop(all.remove(at)),
                1 if !all.is_empty() => all.insert(at, all[at]),
                2 => all.insert(at.min(all.len()), others[below(others.len())]),
                _ if !all.is_empty() => all[at] = others[below(others.len())],
                _ => {}
            }
        }
        all.concat()
    }

    fn short(target: &str, seed: u64, rounds: usize, check: fn(&str) -> bool) {
        let corpus = corpus(target);
        let others: Vec<&str> = corpus.iter().flat_map(|text| pieces(text)).collect();
        println!("seed {seed}");
        let mut random = Random(seed);
        let mut run = 0;
        for text in &corpus {
            assert!(check(text), "the corpus holds what runs: {text}");
            for _ in 0..rounds {
                run += u32::from(check(&mutated(&mut random, text, &others)));
            }
        }
        println!("{run} of {} mutations ran", corpus.len() * rounds);
        assert!(run > 10, "most mutations are refused, not all");
    }

    #[test]
    fn the_policy_target_holds_on_its_corpus_and_on_mutations_of_it() {
        short("policy", 20_261_130, 60, super::policy);
    }

    #[test]
    fn the_document_target_holds_on_its_corpus_and_on_mutations_of_it() {
        short("document", 20_261_130, 60, super::document);
    }
}
