//! Deep and wide policies, as importers and run-time callers may meet them: nothing recurses over levels, and the cost is one
//! step a node.
//!
//! Tests run on threads with 2 MiB of stack, in debug builds too.

use std::time::{Duration, Instant};

use retry_planner::plan::{self, Judged, Plan};
use retry_planner::{
    Attempt, Attempts, Backoff, Count, Factor, Jitter, Kind, Levels, Lint, Node, Policy, Range, Retry,
};

const fn ms(ms: u64) -> Range {
    Range::exact(Duration::from_millis(ms))
}

const fn node(size: usize, kind: Kind<'static>) -> Node<'static> {
    Node {
        name: "",
        size,
        levels: Levels::DEFAULT,
        kind,
    }
}

const LEAF: Kind<'static> = Kind::Attempt(Attempt {
    bound: Some(ms(1)),
    takes: None,
    idempotent: true,
    key: false,
});

const fn retry(attempts: Attempts, backoff: Backoff<'static>) -> Kind<'static> {
    Kind::Retry(Retry {
        attempts,
        backoff,
        jitter: Some(Jitter::None),
        budget: None,
        when: false,
        until: false,
        stop_on_timeout: false,
        hint: None,
    })
}

const TWICE: Kind<'static> = retry(Attempts::Exactly(Count::exact(2)), Backoff::Fixed(ms(1)));

/// `around` with as many leaves.
fn wide(around: Kind<'static>, leaves: usize) -> Vec<Node<'static>> {
    let mut nodes = vec![node(leaves + 1, around)];
    nodes.resize(leaves + 1, node(1, LEAF));
    nodes
}

/// A leaf under as many levels.
fn deep(levels: usize, kind: impl Fn(usize) -> Kind<'static>) -> Vec<Node<'static>> {
    let mut nodes: Vec<_> = (0..levels).map(|at| node(levels + 1 - at, kind(at))).collect();
    nodes.push(node(1, LEAF));
    nodes
}

fn policy<'a>(nodes: &'a [Node<'a>]) -> Policy<'a> {
    Policy { name: "Large", nodes }
}

#[test]
fn a_hundred_thousand_leaves_are_planned_and_judged() {
    const LEAVES: usize = 100_000;
    for around in [Kind::Series, Kind::Parallel, Kind::Fallback, Kind::Race] {
        let nodes = wide(around, LEAVES);
        let start = Instant::now();
        let plan = Plan::of(&policy(&nodes));
        let planned = start.elapsed();
        assert_eq!(plan.calls(), Some(LEAVES as u64));
        let one_by_one = matches!(around, Kind::Series | Kind::Fallback);
        assert_eq!(
            plan.worst(),
            Some(Duration::from_millis(if one_by_one { LEAVES as u64 } else { 1 }))
        );
        let judged = Judged::of(&policy(&nodes));
        assert_eq!(
            judged
                .findings()
                .filter(|found| found.lint < Lint::NoJitter)
                .count(),
            0
        );
        assert_eq!(judged.leaves().count(), LEAVES);
        println!(
            "{around:?} of {LEAVES} leaves: planned in {planned:?}, judged in {:?}",
            start.elapsed().saturating_sub(planned)
        );
    }
}

#[test]
fn a_thousand_levels_are_planned_and_judged() {
    const LEVELS: usize = 1_000;
    // Each limit is above what is inside, so that it never fires.
    let limits = deep(LEVELS, |at| Kind::Timeout(ms(1 + at as u64)));
    let plan = Plan::of(&policy(&limits));
    assert_eq!(plan.worst(), Some(Duration::from_millis(1)));
    let start = Instant::now();
    let judged = Judged::of(&policy(&limits));
    let never = judged
        .findings()
        .filter(|found| found.lint == Lint::NeverFires)
        .count();
    assert_eq!(never, LEVELS - 1);
    println!("{LEVELS} timeouts judged in {:?}", start.elapsed());
    let text = judged.message(Lint::NeverFires, 1).expect("it is found");
    assert!(text.as_str().contains("never fires"), "{text:?}");

    let retries = deep(LEVELS, |_| TWICE);
    let plan = Plan::of(&policy(&retries));
    assert_eq!(plan.calls(), Some(u64::MAX), "2^1000 calls");
    let judged = Judged::of(&policy(&retries));
    assert!(judged.has(Lint::Overflow, 0));
    assert!(judged.has(Lint::Amplification, 0));

    let deadlines = deep(LEVELS, |at| {
        if at % 2 == 0 {
            TWICE
        } else {
            Kind::Deadline(ms(5_000))
        }
    });
    let start = Instant::now();
    let judged = Judged::of(&policy(&deadlines));
    assert!(judged.findings().count() > 0);
    println!(
        "{LEVELS} levels of deadlines and retries judged in {:?}",
        start.elapsed()
    );
}

#[test]
fn the_cost_of_a_plan_grows_with_the_nodes_and_no_faster() {
    /// Retries in a series, each under a timeout.
    fn steps(steps: usize) -> Vec<Node<'static>> {
        let mut nodes = vec![node(3 * steps + 1, Kind::Series)];
        for _ in 0..steps {
            nodes.extend([node(3, Kind::Timeout(ms(10))), node(2, TWICE), node(1, LEAF)]);
        }
        nodes
    }
    let judge = |nodes: &[Node<'static>]| {
        let judged = Judged::of(&policy(nodes));
        let strong = judged.findings().filter(|found| found.lint < Lint::NoJitter);
        assert_eq!(strong.count(), 0);
    };
    // The same number of nodes both times, in small policies and in one.
    let (small, large) = (steps(1_000), steps(16_000));
    let start = Instant::now();
    (0..16).for_each(|_| judge(&small));
    let many = start.elapsed();
    judge(&large);
    let one = start.elapsed().saturating_sub(many);
    println!("16 times 3,001 nodes judged in {many:?}, 48,001 nodes in {one:?}");
    // A quadratic planner would take 16 times as long.
    assert!(one < many * 8, "{many:?} became {one:?}");
}

mod many_attempts {
    use super::*;

    const fn nodes(attempts: Attempts, backoff: Backoff<'static>) -> [Node<'static>; 3] {
        [
            node(3, Kind::Deadline(ms(3_600_000))),
            node(2, retry(attempts, backoff)),
            node(1, LEAF),
        ]
    }

    const SLOW_GROWTH: Backoff<'static> = Backoff::Exponential {
        base: ms(1),
        factor: Factor {
            digits: 1001,
            scale: 3,
        },
        max: Some(ms(60_000)),
    };

    // Planned by the compiler, within its own limit for long evaluations, which is an error by default.
    const MILLION: [Node<'static>; 3] = nodes(
        Attempts::UpTo(Count::exact(1_000_000)),
        Backoff::Exponential {
            base: ms(100),
            factor: Factor::whole(2),
            max: Some(ms(10_000)),
        },
    );
    const MILLION_PLAN: Plan<'static> = Plan::of(&Policy {
        name: "Million",
        nodes: &MILLION,
    });
    const SLOW: [Node<'static>; 3] = nodes(Attempts::UpTo(Count::exact(1_000_000)), SLOW_GROWTH);
    const SLOW_PLAN: Plan<'static> = Plan::of(&Policy {
        name: "Slow",
        nodes: &SLOW,
    });
    const _: () = plan::check(
        &Policy {
            name: "Million",
            nodes: &MILLION,
        },
        0,
    );

    #[test]
    fn a_million_is_planned_by_the_compiler() {
        // Seven waits below the cap are 12.7 s; then come 358 of 10 s before the hour ends.
        assert_eq!(MILLION_PLAN.calls(), Some(1 + 7 + 358));
        assert_eq!(
            MILLION_PLAN.worst(),
            Some(Duration::from_millis(12_700 + 3_580_000 + 366))
        );
        // Waits of 1 ms that grow by a thousandth: the compiler follows some 8,000 of them.
        assert_eq!(SLOW_PLAN.worst(), Some(Duration::from_secs(3_600)));
    }

    #[test]
    fn every_count_is_itself_up_to_the_greatest() {
        for attempts in [u32::MAX - 1, u32::MAX] {
            let alone = [
                node(
                    2,
                    retry(Attempts::Exactly(Count::exact(attempts)), Backoff::Fixed(ms(1))),
                ),
                node(1, LEAF),
            ];
            let plan = Plan::of(&policy(&alone));
            assert_eq!(plan.calls(), Some(attempts.into()));
            // Each attempt and each wait takes 1 ms.
            assert_eq!(
                plan.worst(),
                Some(Duration::from_millis(2 * u64::from(attempts) - 1))
            );
            let judged = Judged::of(&policy(&alone));
            let text = judged.message(Lint::TooManyAttempts, 0).expect("it is found");
            assert!(text.as_str().contains(&attempts.to_string()), "{text:?}");
        }
        let unlimited = [
            node(2, retry(Attempts::Unlimited, Backoff::Fixed(ms(1)))),
            node(1, LEAF),
        ];
        assert_eq!(Plan::of(&policy(&unlimited)).calls(), None);
    }
}

/// A hundred leaves, each under a retry and a limit: 301 nodes, judged by the compiler one by one.
mod a_hundred_leaves_in_const_evaluation {
    use super::*;

    const LEAVES: usize = 100;
    static NODES: [Node<'static>; 3 * LEAVES + 1] = {
        let mut nodes = [node(1, LEAF); 3 * LEAVES + 1];
        nodes[0] = node(3 * LEAVES + 1, Kind::Parallel);
        let mut i = 0;
        while i < LEAVES {
            nodes[3 * i + 1] = node(3, Kind::Deadline(ms(1_000)));
            nodes[3 * i + 2] = node(2, TWICE);
            i += 1;
        }
        nodes
    };
    static WIDE: Policy<'static> = Policy {
        name: "Wide",
        nodes: &NODES,
    };
    const PLAN: Plan<'static> = Plan::of(&WIDE);
    const _: () = plan::check(&WIDE, 0);
    const _: () = plan::check(&WIDE, 150);
    const _: () = plan::check(&WIDE, 3 * LEAVES);
    const OF_ONE: Option<u64> = plan::leaf_calls(&WIDE, 3);

    #[test]
    fn are_planned() {
        assert_eq!(PLAN.calls(), Some(200));
        assert_eq!(OF_ONE, Some(2));
    }
}
