//! How plans move when a policy does, on larger trees from a seed.
//!
//! - A raised bound, greatest time or count never lowers worst or calls: on every tree.
//! - A raised delay doesn't either: on every tree without a limit. Under one it may keep the next attempt from starting
//!   (rule 4), and the game itself ends earlier then.
//! - Less time for the caller, or a limit around the policy, never raises worst: on every tree; nor calls, nor work: on every
//!   tree without a deadline inside. A limit may refuse a repeat, so that a later branch starts before a deadline that it
//!   would have missed.
//!
//! Both exceptions are pinned with a tree on which the model has no other figures than the planner, so that no planner could
//! claim more.
//!
//! `RETRY_PLAN_SEED` sets another seed; a failure prints the seed and the tree.

use std::env;

use super::planner::{self, Told};
use super::random::Random;
use super::tree::{Attempts, Backoff, Jitter, Kind, Tree};

const TREES: u64 = 2_000;

/// A figure's least possible value where it is unbounded.
fn size(figure: Option<u128>) -> u128 {
    figure.unwrap_or(u128::MAX)
}

fn for_each_tree(name: &str, test: impl FnMut(&Tree, &mut Random)) {
    for_trees(TREES, name, test);
}

fn for_trees(trees: u64, name: &str, mut test: impl FnMut(&Tree, &mut Random)) {
    let seed = env::var("RETRY_PLAN_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20_260_101);
    println!("{name}: seed {seed}, {trees} trees");
    for n in 0..trees {
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

#[test]
fn less_time_never_gains_time_or_calls() {
    for_each_tree("less time", |tree, random| {
        let more = 1 + random.below(80);
        let less = random.below(more + 1);
        let (more, less) = (planner::within(tree, more), planner::within(tree, less));
        let text = || format!("{tree}");
        assert!(size(less.worst) <= size(more.worst), "worst: {}", text());
        if !tree.any(&|tree| matches!(tree.kind, Kind::Deadline(_))) {
            assert!(size(less.calls) <= size(more.calls), "calls: {}", text());
            assert!(size(less.work) <= size(more.work), "work: {}", text());
        }
    });
}

mod the_game_itself_allows_no_more {
    use super::*;
    use crate::tree::Retry;
    use crate::{bound, walked};

    fn times(attempts: u8, wait: u8, kid: Tree) -> Tree {
        Tree::over(Kind::Retry(Retry::new(attempts, Backoff::Fixed(wait))), vec![kid])
    }

    /// Worst and calls, by the model and by the planner.
    fn figures(tree: &Tree) -> [(u128, u128); 2] {
        let (model, told) = (walked(tree), planner::told(tree));
        let worst = model.worst.expect("it ends");
        [
            (u128::from(worst) * 1_000_000, model.figures.calls.into()),
            (size(told.worst), size(told.calls)),
        ]
    }

    #[test]
    fn a_longer_delay_lowers_worst_and_calls_under_a_limit() {
        let tree = |wait| Tree::over(Kind::Timeout(10), vec![times(2, wait, bound(4))]);
        assert_eq!(figures(&tree(6)), [(10_000_000, 2); 2]);
        assert_eq!(figures(&tree(10)), [(4_000_000, 1); 2]);
    }

    #[test]
    fn an_outer_limit_raises_calls_where_a_deadline_is_inside() {
        let both = Tree::over(Kind::Parallel, vec![bound(1), bound(1)]);
        let late = Tree::over(Kind::Deadline(4), vec![both]);
        let tree = Tree::over(Kind::Fallback, vec![times(2, 5, bound(2)), late]);
        let calls = |tree: &Tree| figures(tree).map(|(_, calls)| calls);
        // The second branch could start at 5 at the earliest, when its deadline has passed.
        assert_eq!(calls(&tree), [2; 2]);
        // The limit refuses the second attempt, so that the second branch may start at once.
        assert_eq!(calls(&Tree::over(Kind::Timeout(5), vec![tree])), [3; 2]);
    }
}

#[test]
fn calls_of_the_leaves_add_up_and_one_node_is_judged_like_all() {
    for_each_tree("one by one", |tree, _| planner::agrees_with_itself(tree));
}

/// The random trees are larger than the family's, and the model still walks the smaller ones of them.
#[test]
fn random_trees_are_never_judged_too_kindly() {
    let mut report = super::compare::Report::default();
    for_trees(TREES / 4, "never below", |tree, _| {
        let leaves = |tree: &Tree| {
            super::facts::seen(tree)
                .iter()
                .filter(|node| node.kids.is_empty())
                .count()
        };
        // Ends between two milliseconds, and waits that are longer than the model's world.
        let off_grid = |tree: &Tree| {
            let Kind::Retry(retry) = &tree.kind else {
                return false;
            };
            matches!(retry.jitter, Jitter::Spread(_)) || retry.wait(4).1 >= 60
        };
        if tree.size() <= 6
            && leaves(tree) <= 3
            && !tree.any(&off_grid)
            && tree.any(&|tree| matches!(tree.kind, Kind::Attempt(_)))
        {
            let told = planner::told(tree);
            // Its clock has 254 of them.
            if told.worst.is_none_or(|worst| worst < 250_000_000) {
                report.compare(tree, &super::facts::Facts::of(tree), &told);
            }
        }
    });
    println!("{} of them walked, {} exactly", report.trees, report.exact);
    super::expect_none_broken(&report);
}
