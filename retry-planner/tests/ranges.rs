//! Values that are known within bounds: each finding is judged at the corner that makes it certain, or possible (rule 25).

mod judge;

use std::time::Duration;

use judge::with;
use retry_planner::plan::{Judged, Plan};
use retry_planner::{
    Allowance, Attempt, Attempts, Backoff, Count, Kind, Lint, Node, Policy, Range, Retry, Takes,
};

const fn between(lo: u64, hi: u64) -> Range {
    Range {
        lo: Duration::from_millis(lo),
        hi: Duration::from_millis(hi),
    }
}

/// The policy with some kinds replaced.
fn judged<T>(
    text: &str,
    changes: &[(usize, Kind<'static>)],
    ask: impl FnOnce(&Judged<'_>, Plan<'_>) -> T,
) -> T {
    with(text, |policy| {
        let mut nodes: Vec<Node<'_>> = policy.nodes.to_vec();
        for (node, kind) in changes {
            nodes[*node].kind = *kind;
        }
        let judged = Judged::of(&Policy {
            name: policy.name,
            nodes: &nodes,
        });
        ask(&judged, judged.plan())
    })
}

fn has(text: &str, changes: &[(usize, Kind<'static>)], lint: Lint, node: usize) -> bool {
    judged(text, changes, |judged, _| judged.has(lint, node))
}

const fn takes(min: Range, max: Range) -> Kind<'static> {
    Kind::Attempt(Attempt {
        bound: None,
        takes: Some(Takes { min, max: Some(max) }),
        idempotent: true,
        key: false,
    })
}

const fn retry(attempts: Count, wait: Range) -> Kind<'static> {
    Kind::Retry(Retry {
        attempts: Attempts::Exactly(attempts),
        backoff: Backoff::Fixed(wait),
        jitter: None,
        budget: None,
        when: false,
        until: false,
        stop_on_timeout: false,
        hint: None,
    })
}

const ONE: &str = "timeout(1s) { attempt(takes = 1ms..=2ms) }";
const SOME: &str = "timeout(10ms) { retry(attempts = 2, backoff = fixed(4ms), jitter = none) { attempt(takes = 0ms..=1ms) } }";

#[test]
fn cannot_fit_takes_the_shortest_limit_and_the_longest_time() {
    let fits = |limit, max| {
        let changes = [(0, Kind::Timeout(limit)), (1, takes(between(0, 0), max))];
        !has(ONE, &changes, Lint::CannotFit, 0)
    };
    assert!(fits(between(15, 90), between(5, 15)));
    assert!(!fits(between(14, 90), between(5, 15)));
    assert!(!fits(between(15, 90), between(5, 16)));
}

#[test]
fn impossible_takes_the_longest_limit_and_the_shortest_time() {
    let possible = |limit, min| {
        let changes = [(0, Kind::Timeout(limit)), (1, takes(min, between(90, 90)))];
        !has(ONE, &changes, Lint::Impossible, 0)
    };
    assert!(possible(between(1, 10), between(10, 80)));
    assert!(!possible(between(1, 9), between(10, 80)));
}

#[test]
fn unreachable_takes_the_least_count_and_the_shortest_wait() {
    let reached = |attempts, wait| {
        let count = Count { lo: attempts, hi: 9 };
        !has(SOME, &[(1, retry(count, wait))], Lint::Unreachable, 1)
    };
    // Attempts can start at 0, 4 and 8.
    assert!(reached(3, between(4, 4)));
    assert!(!reached(4, between(4, 4)));
    assert!(reached(4, between(3, 50)));
}

#[test]
fn never_fires_takes_the_shortest_inner_and_the_longest_outer_limit() {
    let text = "timeout(1s) { timeout(1s) { attempt(takes = 0ms..=2s) } }";
    let fires = |outer, inner| {
        let changes = [(0, Kind::Timeout(outer)), (1, Kind::Timeout(inner))];
        !has(text, &changes, Lint::NeverFires, 1)
    };
    assert!(fires(between(10, 30), between(30, 90)));
    assert!(!fires(between(10, 30), between(31, 90)));
}

#[test]
fn an_allowance_is_judged_at_the_least_that_it_grants() {
    let text = "allowance(K = 1) { retry(attempts = 4, backoff = none, budget = K) { attempt(1ms) } }";
    let exceeded = |lo| {
        let allowance = Allowance {
            key: "K",
            limit: Count { lo, hi: 50 },
        };
        has(
            text,
            &[(0, Kind::Allowance(allowance))],
            Lint::RetryBudgetExceeded,
            0,
        )
    };
    assert!(!exceeded(3));
    assert!(exceeded(2));
}

#[test]
fn figures_take_the_ends_that_bound_them() {
    let count = Count { lo: 1, hi: 3 };
    let text = "retry(attempts = 2, backoff = none) { attempt(takes = 1ms..=2ms) }";
    let changes = [
        (0, retry(count, between(1, 7))),
        (1, takes(between(2, 4), between(5, 9))),
    ];
    judged(text, &changes, |_, plan| {
        assert_eq!(plan.best(), Duration::from_millis(2));
        assert_eq!(plan.worst(), Some(Duration::from_millis(3 * 9 + 2 * 7)));
        assert_eq!(plan.calls(), Some(3));
        // Of one attempt, which may fail at once.
        assert_eq!(plan.fastest_failure(), Duration::ZERO);
    });
}
