//! That the evidence can fail: a planner that is off by one delay, and a runtime that makes one attempt too many, are caught.

use std::sync::{Mutex, PoisonError};

use retry_plan::planner::{Attempts, Count, Kind, Node};

use crate::case::{Budgets, Case, How};
use crate::enumerated::Counts;
use crate::execute::paused;
use crate::family::family;
use crate::tree::Tree;

/// The trees that a fault can show on, as the short run takes them.
fn with_a_retry() -> impl Iterator<Item = (u64, Tree)> {
    let retried = |tree: &Tree| tree.any(&|node| matches!(node.kind, crate::tree::Kind::Retry(_)));
    (0_u64..)
        .zip(family())
        .step_by(2)
        .filter(move |(_, tree)| retried(tree))
        .take(300)
}

fn caught(fault: impl Fn(&Tree, How) -> Option<Case>) -> (usize, Vec<String>) {
    static BUDGETS: Budgets = Budgets::NEW;
    // What one test spends is not what another does.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let how = How {
        budgets: &BUDGETS,
        shut: false,
    };
    paused(async {
        let mut counts = Counts::default();
        let mut tried = 0;
        for (seed, tree) in with_a_retry() {
            if let Some(case) = fault(&tree, how) {
                tried += 1;
                counts.judge(&case, how, seed, 1).await;
            }
        }
        (tried, counts.broken)
    })
}

/// The wait that a planner would leave out that counts one too few.
fn last_wait(nodes: &[Node<'_>]) -> Option<u128> {
    nodes.iter().find_map(|node| match node.kind {
        Kind::Retry(retry) => match retry.attempts {
            Attempts::Exactly(n) if n.hi > 1 => Some(retry.interval(n.hi - 1).hi.as_nanos()),
            _ => None,
        },
        _ => None,
    })
}

#[test]
fn a_planner_that_leaves_one_delay_out_is_caught() {
    let (tried, broken) = caught(|tree, how| {
        let mut case = Case::of(tree, how);
        let wait = last_wait(&case.nodes).filter(|wait| *wait > 0)?;
        case.figures.worst = Some(case.figures.worst?.saturating_sub(wait));
        Some(case)
    });
    assert!(tried > 50, "{tried} trees");
    let late = broken.iter().filter(|why| why.contains("after worst")).count();
    assert!(late > tried / 4, "{late} of {tried}");
    assert!(
        broken[0].contains("script: ") && broken[0].contains("struct Tree {"),
        "{}",
        broken[0]
    );
}

#[test]
fn a_runtime_that_makes_one_attempt_too_many_is_caught() {
    let one_more = |node: &mut Node<'static>| {
        if let Kind::Retry(retry) = &mut node.kind
            && let Attempts::Exactly(n) = retry.attempts
            && !matches!(retry.backoff, retry_plan::planner::Backoff::Schedule { .. })
        {
            retry.attempts = Attempts::Exactly(Count::exact(n.hi + 1));
        }
    };
    let (tried, broken) = caught(|tree, how| Some(Case::altered(tree, how, one_more)));
    assert!(tried > 50, "{tried} trees");
    let calls = broken.iter().filter(|why| why.contains(" calls ")).count();
    assert!(calls > tried / 4, "{calls} of {tried}");
}

#[test]
fn without_a_fault_the_same_trees_are_fine() {
    let (tried, broken) = caught(|tree, how| Some(Case::of(tree, how)));
    assert_eq!(tried, 300);
    assert!(broken.is_empty(), "{}", broken[0]);
}
