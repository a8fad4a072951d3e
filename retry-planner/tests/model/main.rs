//! The planner, judged by a model that walks every run.
//!
//! The model ([`game`], [`hedge`]) is written from the running rules (1 to 12 of the semantics) and shares no code with
//! the planner; it takes a policy, lets an adversary choose every duration, outcome, wait and verdict on a grid of whole
//! milliseconds, and keeps the suprema over all runs. [`family`] is every tree of a small grammar, up to depth 4 and with
//! every kind of node under every other. For each tree, [`compare`] holds the planner to this:
//!
//! - worst end, calls in all, calls of each leaf, charges to each budget and work are **never below** the model's suprema, and
//!   best isn't above the fastest success: on every tree.
//! - They are **equal** to them where no finding about a limit stands and none is a fact, no allowance is exceeded, no attempt
//!   is without both a bound and a greatest time, no limit can cut an open count (`..=n`, `unlimited`), and no two nested
//!   limits have one length; best only without `timeouts = stop` and allowances. (Rule 28 doesn't name the last two: for an
//!   open count a limit is judged with one attempt, and of two limits of one length each hides the other, so that a run can be
//!   cut where nothing is found.) Elsewhere the share that is equal is printed, with the smallest tree of each kind that isn't:
//!   at least nine in ten for worst and for calls.
//! - Every finding about a limit (`impossible`, `unreachable`, `never_fires`, `cannot_fit`) is a **fact** of the model at
//!   that node. Left out are repeats that hold two deadlines, whose latest start lies between two milliseconds.
//! - Where the model shows any such fact, something is found, and where it shows none, nothing is. Left out are limits of one
//!   length, as above, and a limit over a retry in a retry, of which the inner one fails the sooner the less is left: the
//!   planner takes it to fail at once, and finds nothing where an attempt of the outer one can never start for that (one tree
//!   of the family, counted and printed). Of what follows from one cause the planner tells the cause alone (rule 26), so the
//!   findings are fewer than the facts: the shares of trees on which the strongest finding is the strongest fact, and on which
//!   all are the same node by node, are printed.
//! - `unbounded` stands wherever some run has no end, and nowhere else but for deadlines inside unlimited retries.
//! - `retry_budget_exceeded` stands wherever some run asks an allowance for more than it holds, and nowhere else where no
//!   finding about a limit stands.
//!
//! By default every second tree is judged, 23,093 of them; the ignored test judges all 46,186.
//!
//! The facts are these. A limit that starts is *impossible* if nothing inside can succeed within it, and could without it.
//! It *never fires* if at each of its starts an enclosing limit ends first. It *cannot fit* if, with that limit alone
//! removed, allowances ignored and open counts taken as one, something inside runs past it. An attempt, copy, step or
//! branch that no run starts is *unreachable*.
//!
//! A call runs its callee as the game it is; the planner gets the callee's own plan. Not walked: ranges (see [`growth`]),
//! waits between two milliseconds, and more than a few attempts where neither a count nor a limit ends them.

#![allow(
    clippy::similar_names,
    clippy::option_option,
    clippy::match_same_arms,
    clippy::trivially_copy_pass_by_ref,
    clippy::cast_possible_truncation,
    clippy::collapsible_match,
    clippy::nonminimal_bool,
    clippy::doc_markdown,
    clippy::unused_self,
    reason = "the model is read beside the rules, case by case"
)]

mod compare;
mod convert;
mod facts;
mod family;
mod game;
mod growth;
mod hedge;
mod outcome;
mod planner;
mod random;
mod tree;

use std::thread;

use compare::Report;
use facts::Facts;
use game::{Game, Suprema, WhatIf};
use retry_planner::Lint;
use tree::{Backoff, Charge, Jitter, Key, Kind, Retry, Tree};

fn walked(tree: &Tree) -> Suprema {
    Game::new(tree, WhatIf::default()).suprema()
}

fn retry(attempts: u8, wait: u8, kid: Tree) -> Tree {
    Tree::over(Kind::Retry(Retry::new(attempts, Backoff::Fixed(wait))), vec![kid])
}

fn bound(ms: u8) -> Tree {
    Tree::leaf(Some(ms), None)
}

fn takes(min: u8, max: u8) -> Tree {
    Tree::leaf(None, Some((min, Some(max))))
}

fn facts(tree: &Tree) -> Vec<(Lint, usize)> {
    Facts::of(tree)
        .all
        .iter()
        .map(|fact| (fact.lint, fact.node))
        .collect()
}

/// The examples that the semantics give with their figures.
mod the_model_agrees_with_the_semantics {
    use super::*;

    #[test]
    fn an_interior_draw_reaches_what_the_ends_miss() {
        let full = Retry {
            jitter: Jitter::Full,
            ..Retry::new(2, Backoff::Fixed(4))
        };
        let tree = Tree::over(
            Kind::Timeout(10),
            vec![Tree::over(Kind::Retry(full), vec![takes(4, 4)])],
        );
        assert_eq!(walked(&tree).worst, Some(10));
    }

    #[test]
    fn a_deadline_inside_a_retry_ends_it() {
        let tree = retry(3, 4, Tree::over(Kind::Deadline(10), vec![bound(8)]));
        assert_eq!(walked(&tree).worst, Some(10));
    }

    #[test]
    fn an_allowance_refuses_the_third_attempt() {
        let paid = Retry {
            budget: Some(Charge { key: Key::K, cost: 1 }),
            ..Retry::new(3, Backoff::Fixed(1))
        };
        let allowance = Kind::Allowance {
            key: Key::K,
            limit: 1,
        };
        let tree = Tree::over(allowance, vec![Tree::over(Kind::Retry(paid), vec![bound(5)])]);
        let suprema = walked(&tree);
        assert_eq!((suprema.worst, suprema.figures.charges[0]), (Some(11), 1));
        assert_eq!(facts(&tree), [(Lint::RetryBudgetExceeded, 0)]);
    }

    #[test]
    fn a_repeat_whose_fastest_success_ends_too_late_is_refused() {
        let tree = Tree::over(Kind::Timeout(6), vec![retry(2, 3, takes(4, 4))]);
        assert_eq!(walked(&tree).figures.calls, 1);
        assert_eq!(facts(&tree), [(Lint::Unreachable, 1), (Lint::CannotFit, 0)]);
    }

    #[test]
    fn a_later_branch_can_be_the_fastest() {
        let tree = Tree::over(Kind::Fallback, vec![takes(3, 5), takes(1, 2)]);
        assert_eq!(walked(&Tree::over(Kind::Timeout(2), vec![tree])).best, Some(1));
    }

    #[test]
    fn copies_start_after_each_other_and_after_failures() {
        let hedge = |copies| Kind::Hedge {
            after: 2,
            copies,
            budget: None,
        };
        let suprema = walked(&Tree::over(hedge(3), vec![bound(10)]));
        assert_eq!(
            (suprema.worst, suprema.figures.calls, suprema.work),
            (Some(14), 3, Some(30))
        );
        assert_eq!(walked(&Tree::over(hedge(2), vec![bound(1)])).worst, Some(2));
    }

    #[test]
    fn starts_are_judged_in_the_frame_of_the_limit() {
        let inner = Tree::over(
            Kind::Series,
            vec![
                takes(3, 4),
                Tree::over(Kind::Timeout(7), vec![Tree::leaf(None, None)]),
            ],
        );
        let tree = Tree::over(
            Kind::Series,
            vec![bound(5), Tree::over(Kind::Timeout(9), vec![inner])],
        );
        assert!(facts(&tree).contains(&(Lint::NeverFires, 5)));
    }

    #[test]
    fn a_sibling_after_the_one_that_decides_is_not_polled() {
        // The first fails at once in some runs, and then the second is never called; both are called in others.
        let tree = Tree::over(Kind::Parallel, vec![bound(3), retry(2, 0, bound(3))]);
        let suprema = walked(&tree);
        assert_eq!(
            (suprema.worst, suprema.figures.calls, suprema.work),
            (Some(6), 3, Some(9))
        );
    }
}

fn judge_family(every: usize) -> Report {
    let threads = thread::available_parallelism().map_or(2, usize::from);
    let mut report = Report::default();
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                scope.spawn(move || {
                    let mut report = Report::default();
                    for tree in family::family().skip(every * part).step_by(every * threads) {
                        report.compare(&tree, &Facts::of(&tree), &planner::told(&tree));
                    }
                    report
                })
            })
            .collect();
        for part in parts {
            report.merge(part.join().expect("a part is judged"));
        }
    });
    report
}

/// Prints the smallest tree of each broken claim.
fn expect_none_broken(report: &Report) {
    let mut broken: Vec<_> = report.broken.iter().collect();
    broken.sort_by_key(|broken| (broken.claim, broken.size));
    for claim in broken.chunk_by(|a, b| a.claim == b.claim) {
        println!("\n{} trees break: {}", claim.len(), claim[0].claim);
        for broken in claim.iter().take(4) {
            println!("{broken}");
        }
    }
    assert!(broken.is_empty(), "{} claims are broken", broken.len());
}

#[test]
fn the_planner_is_never_below_the_model_and_equal_where_it_claims_to_be() {
    let report = judge_family(2);
    println!("{} trees, {} of them exactly", report.trees, report.exact);
    expect_none_broken(&report);
    assert!(report.trees >= 20_000, "at least 20,000 trees");
}

/// As above for the whole family, and how tight the bounds are: `cargo test -p retry-planner --test model -- --ignored`.
#[test]
#[ignore = "walks 46,000 trees, which takes minutes on a small machine"]
fn the_whole_family_is_judged_and_nine_in_ten_bounds_are_reached() {
    let report = judge_family(1);
    println!("{} trees, {} of them exactly", report.trees, report.exact);
    println!(
        "on {} of {} trees the strongest finding is the strongest fact",
        report.strongest, report.with_findings
    );
    println!(
        "{} of {} trees have the same findings, node by node",
        report.same_findings, report.with_findings
    );
    println!(
        "on {} trees with a limit over nested retries nothing is found",
        report.missed
    );
    for (name, tightness) in &report.tightness {
        println!(
            "elsewhere {name}: {} of {} reached",
            tightness.equal, tightness.trees
        );
        for (kind, (_, text)) in &tightness.loosest {
            println!("    with {kind}: {text}");
        }
    }
    expect_none_broken(&report);
    assert!(report.trees >= 20_000, "the family has at least 20,000 trees");
    for name in ["worst", "calls"] {
        let tightness = &report.tightness[name];
        assert!(
            tightness.equal * 10 >= tightness.trees * 9,
            "{name} is reached on 90 % of the rest"
        );
    }
}

#[test]
fn the_family_has_every_kind_under_every_other() {
    fn pairs(tree: &Tree, into: &mut Vec<(usize, usize)>) {
        for kid in &tree.kids {
            into.push((kind(tree), kind(kid)));
            pairs(kid, into);
        }
    }
    fn kind(tree: &Tree) -> usize {
        match tree.kind {
            Kind::Attempt(_) => 0,
            Kind::Call => 1,
            Kind::Timeout(_) => 2,
            Kind::Deadline(_) => 3,
            Kind::Retry(_) => 4,
            Kind::Hedge { .. } => 5,
            Kind::Series => 6,
            Kind::Parallel => 7,
            Kind::Fallback => 8,
            Kind::Race => 9,
            Kind::Allowance { .. } => 10,
        }
    }
    let mut seen = Vec::new();
    let mut depth = 0;
    for tree in family::family() {
        pairs(&tree, &mut seen);
        depth = depth.max(tree.depth());
    }
    seen.sort_unstable();
    seen.dedup();
    for above in 2..=10 {
        for below in 0..=10 {
            assert!(
                seen.contains(&(above, below)),
                "kind {below} stands under kind {above}"
            );
        }
    }
    // A callee's own levels come on top.
    assert!((4..=7).contains(&depth), "depth {depth}");
}
