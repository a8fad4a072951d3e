//! How plans move when a policy does, on larger trees from a seed.
//!
//! `RETRY_PLAN_SEED` sets another seed; a failure prints the seed and the tree.

use std::env;

use super::planner::{self, Told};
use super::random::Random;
use super::tree::{Attempts, Backoff, Jitter, Kind, Tree};

const TREES: u64 = 500;

/// A figure's least possible value where it is unbounded.
fn size(figure: Option<u128>) -> u128 {
    figure.unwrap_or(u128::MAX)
}

fn for_each_tree(name: &str, mut test: impl FnMut(&Tree, &mut Random)) {
    let seed = env::var("RETRY_PLAN_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20_260_101);
    println!("{name}: seed {seed}, {TREES} trees");
    for n in 0..TREES {
        let mut random = Random(seed ^ n << 32);
        let tree = random.tree(5);
        test(&tree, &mut random);
    }
}

fn no_less(of: &str, before: (&Tree, &Told), after: (&Tree, &Told)) {
    let text = || format!("{}\n  becomes\n{}", before.0, after.0);
    assert!(
        size(after.1.worst) >= size(before.1.worst),
        "a raised {of} lowers worst: {}",
        text()
    );
    assert!(
        size(after.1.calls) >= size(before.1.calls),
        "a raised {of} lowers calls: {}",
        text()
    );
}

/// Raises by one the `n`th figure of those that `raise` finds.
fn raised(tree: &Tree, n: usize, raise: fn(&mut Kind) -> Vec<&mut u8>) -> Option<Tree> {
    fn walk(tree: &mut Tree, n: &mut usize, raise: fn(&mut Kind) -> Vec<&mut u8>) -> bool {
        for figure in raise(&mut tree.kind) {
            if *n == 0 {
                *figure += 1;
                return true;
            }
            *n -= 1;
        }
        tree.kids.iter_mut().any(|kid| walk(kid, n, raise))
    }
    let mut tree = tree.clone();
    let mut n = n;
    walk(&mut tree, &mut n, raise).then_some(tree)
}

fn bounds(kind: &mut Kind) -> Vec<&mut u8> {
    let Kind::Attempt(attempt) = kind else {
        return Vec::new();
    };
    let max = attempt.takes.as_mut().and_then(|(_, max)| max.as_mut());
    attempt.bound.iter_mut().chain(max).collect()
}

fn delays(kind: &mut Kind) -> Vec<&mut u8> {
    match kind {
        Kind::Retry(retry) => match &mut retry.backoff {
            Backoff::Fixed(wait) | Backoff::Linear(wait, None) | Backoff::Exponential(wait, _, None) => {
                vec![wait]
            }
            Backoff::Linear(_, Some(cap))
            | Backoff::Exponential(_, _, Some(cap))
            | Backoff::Decorrelated(_, Some(cap)) => {
                vec![cap]
            }
            _ => Vec::new(),
        },
        Kind::Hedge { after, .. } => vec![after],
        _ => Vec::new(),
    }
}

fn counts(kind: &mut Kind) -> Vec<&mut u8> {
    match kind {
        Kind::Retry(retry) => match &mut retry.attempts {
            Attempts::Exactly(n) | Attempts::UpTo(n) => vec![n],
            Attempts::Unlimited => Vec::new(),
        },
        Kind::Hedge { copies, .. } => vec![copies],
        _ => Vec::new(),
    }
}

fn grows(of: &str, figures: fn(&mut Kind) -> Vec<&mut u8>) {
    for_each_tree(of, |tree, _| {
        if of == "delay" && tree.any(&limited) {
            return;
        }
        let before = planner::told(tree);
        for n in 0.. {
            let Some(larger) = raised(tree, n, figures) else {
                break;
            };
            no_less(of, (tree, &before), (&larger, &planner::told(&larger)));
        }
    });
}

#[test]
fn a_raised_bound_never_lowers_worst_or_calls() {
    grows("bound", bounds);
}

/// Under a limit a longer delay may keep the next attempt from starting (rule 4), so it says nothing there.
fn limited(tree: &Tree) -> bool {
    matches!(tree.kind, Kind::Timeout(_) | Kind::Deadline(_))
}

#[test]
fn a_raised_delay_never_lowers_worst_or_calls() {
    grows("delay", delays);
}

#[test]
fn a_raised_count_never_lowers_worst_or_calls() {
    grows("count", counts);
}

#[test]
fn an_outer_limit_never_raises_anything() {
    for_each_tree("outer limit", |tree, random| {
        let free = planner::told(tree);
        let limit = u8::try_from(1 + random.below(60)).expect("a byte");
        for kind in [Kind::Timeout(limit), Kind::Deadline(limit)] {
            let limited_tree = Tree::over(kind, vec![tree.clone()]);
            let limited = planner::told(&limited_tree);
            let text = || format!("{limited_tree}");
            assert!(size(limited.worst) <= size(free.worst), "worst: {}", text());
            assert!(
                size(limited.worst) <= u128::from(limit) * 1_000_000,
                "the limit holds: {}",
                text()
            );
            // A refusal can let a later branch start before a deadline that it would have missed (rule 28).
            if !tree.any(&|tree| matches!(tree.kind, Kind::Deadline(_))) {
                assert!(size(limited.calls) <= size(free.calls), "calls: {}", text());
                assert!(size(limited.work) <= size(free.work), "work: {}", text());
            }
        }
    });
}

/// The random trees are larger than the family's, and the model still walks the smaller ones of them.
#[test]
fn random_trees_are_never_judged_too_kindly() {
    let mut report = super::compare::Report::default();
    for_each_tree("never below", |tree, _| {
        let leaves = |tree: &Tree| {
            super::facts::seen(tree)
                .iter()
                .filter(|node| node.kids.is_empty())
                .count()
        };
        let off_grid = |tree: &Tree| matches!(&tree.kind, Kind::Retry(retry) if matches!(retry.jitter, Jitter::Spread(_)));
        if tree.size() <= 6
            && leaves(tree) <= 3
            && !tree.any(&off_grid)
            && tree.any(&|tree| matches!(tree.kind, Kind::Attempt(_)))
        {
            report.compare(tree, &super::facts::Facts::of(tree), &planner::told(tree));
        }
    });
    println!("{} of them walked, {} exactly", report.trees, report.exact);
    super::expect_none_broken(&report);
}
