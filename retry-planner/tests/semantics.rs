//! The examples that the rules give, each with its figure.

use std::time::Duration;

use retry_planner::plan::{self, Plan};
use retry_planner::{
    Allowance, Attempt, Attempts, Backoff, Callee, Charge, Count, Factor, Hedge, Hint, Jitter, Kind, Level,
    Levels, Lint, Node, Policy, Range, Retry, Takes,
};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

const fn time(value: u64) -> Range {
    Range::exact(ms(value))
}

type Tree = Vec<Node<'static>>;

fn node(kind: Kind<'static>, kids: &[Tree]) -> Tree {
    let mut nodes = vec![Node {
        name: "",
        size: 1,
        levels: Levels::DEFAULT,
        kind,
    }];
    nodes.extend(kids.iter().flatten());
    nodes[0].size = nodes.len();
    nodes
}

fn attempt(bound: Option<u64>, takes: Option<(u64, u64)>) -> Tree {
    let takes = takes.map(|(min, max)| Takes {
        min: time(min),
        max: Some(time(max)),
    });
    node(
        Kind::Attempt(Attempt {
            bound: bound.map(time),
            takes,
            idempotent: true,
            key: false,
        }),
        &[],
    )
}

fn bound(ms: u64) -> Tree {
    attempt(Some(ms), None)
}

fn takes(min: u64, max: u64) -> Tree {
    attempt(None, Some((min, max)))
}

const fn times(attempts: u32, backoff: Backoff<'static>) -> Retry<'static> {
    Retry {
        attempts: Attempts::Exactly(Count::exact(attempts)),
        backoff,
        jitter: Some(Jitter::None),
        budget: None,
        when: false,
        until: false,
        stop_on_timeout: false,
        hint: None,
    }
}

fn retry(attempts: u32, wait: u64, kid: Tree) -> Tree {
    node(Kind::Retry(times(attempts, Backoff::Fixed(time(wait)))), &[kid])
}

fn timeout(ms: u64, kid: Tree) -> Tree {
    node(Kind::Timeout(time(ms)), &[kid])
}

fn deadline(ms: u64, kid: Tree) -> Tree {
    node(Kind::Deadline(time(ms)), &[kid])
}

fn callee(best: u64, fastest_failure: u64, worst: u64) -> Tree {
    node(
        Kind::Call(Callee {
            name: "Inner",
            best: ms(best),
            fastest_failure: ms(fastest_failure),
            worst: Some(ms(worst)),
            work: Some(ms(worst)),
            calls: Some(1),
            leaf_calls: Some(1),
            unpaid: 0,
            repeaters: &[],
            unsafe_to_repeat: false,
            charges: &[],
        }),
        &[],
    )
}

fn planned(tree: &Tree) -> Plan<'_> {
    Plan::of(&Policy {
        name: "Policy",
        nodes: tree,
    })
}

fn worst(tree: &Tree) -> Option<Duration> {
    planned(tree).worst()
}

/// All denials, by name and node.
fn denials(tree: &Tree) -> Vec<(Lint, usize)> {
    let policy = Policy {
        name: "Policy",
        nodes: tree,
    };
    (0..tree.len())
        .flat_map(|node| Lint::ALL.map(|lint| (lint, node)))
        .filter(|(lint, node)| lint.default_level() == Level::Deny && plan::has(&policy, *lint, *node))
        .collect()
}

mod the_rules {
    use super::*;

    #[test]
    fn an_interior_draw_is_covered_by_the_bound() {
        let full = Retry {
            jitter: Some(Jitter::Full),
            ..times(2, Backoff::Fixed(time(4)))
        };
        let tree = timeout(10, node(Kind::Retry(full), &[takes(4, 4)]));
        assert_eq!(worst(&tree), Some(ms(10)));
    }

    #[test]
    fn a_fallback_is_as_fast_as_its_fastest_branch() {
        let tree = timeout(2, node(Kind::Fallback, &[takes(3, 5), takes(1, 2)]));
        assert_eq!(planned(&tree).best(), ms(1));
        assert!(!denials(&tree).contains(&(Lint::Impossible, 0)));
    }

    #[test]
    fn a_timeout_is_judged_from_its_own_start() {
        let d = timeout(7, attempt(None, None));
        let b = timeout(9, node(Kind::Series, &[takes(3, 4), d]));
        let tree = node(Kind::Series, &[bound(5), b]);
        assert_eq!(denials(&tree), [(Lint::NeverFires, 5)]);
    }

    #[test]
    fn an_attempt_that_is_always_refused_is_unreachable() {
        let tree = timeout(6, retry(2, 3, takes(4, 4)));
        assert_eq!(denials(&tree), [(Lint::Unreachable, 1)]);
        assert_eq!(planned(&tree).calls(), Some(1));
    }

    #[test]
    fn no_repeat_starts_after_the_deadline_inside_it() {
        assert_eq!(worst(&retry(3, 4, deadline(10, bound(8)))), Some(ms(10)));
    }

    #[test]
    fn an_allowance_does_not_lower_the_bound() {
        let paid = Retry {
            budget: Some(Charge { key: "K", cost: 1 }),
            ..times(3, Backoff::Fixed(time(1)))
        };
        let tree = node(
            Kind::Allowance(Allowance {
                key: "K",
                limit: Count::exact(1),
            }),
            &[node(Kind::Retry(paid), &[bound(5)])],
        );
        assert!(worst(&tree) >= Some(ms(11)));
        assert_eq!(denials(&tree), [(Lint::RetryBudgetExceeded, 0)]);
    }

    #[test]
    fn a_limit_that_never_fires_is_one_error() {
        assert_eq!(
            denials(&timeout(2000, timeout(3000, attempt(None, None)))),
            [(Lint::NeverFires, 1)]
        );
    }

    #[test]
    fn what_follows_from_an_impossible_limit_is_not_told() {
        let inner = timeout(1, node(Kind::Series, &[takes(2, 3), bound(5)]));
        assert_eq!(denials(&timeout(20, retry(3, 1, inner))), [(Lint::Impossible, 2)]);
    }

    #[test]
    fn a_limit_that_equals_the_worst_case_fits() {
        let tree = timeout(3899, retry(4, 233, bound(800)));
        assert_eq!(worst(&tree), Some(ms(3899)));
        assert_eq!(denials(&tree), []);
        assert_eq!(denials(&timeout(800, bound(800))), []);
    }
}

mod the_fastest_failure {
    use super::*;

    /// The second branch can succeed at once: its start is the first one's fastest failure.
    fn of_first_branch(first: Tree) -> Duration {
        planned(&node(Kind::Fallback, &[first, takes(0, 1)])).best()
    }

    #[test]
    fn is_that_of_all_attempts_where_nothing_ends_them() {
        assert_eq!(of_first_branch(retry(3, 5, takes(100, 100))), ms(10));
    }

    #[test]
    fn is_that_of_the_first_attempt_where_a_hint_may_not_fit() {
        let hinted = Retry {
            hint: Some(Hint { max: Some(time(5)) }),
            ..times(3, Backoff::Fixed(time(5)))
        };
        assert_eq!(
            of_first_branch(node(Kind::Retry(hinted), &[takes(100, 100)])),
            ms(0)
        );
    }

    #[test]
    fn is_that_of_the_first_attempt_where_a_deadline_inside_ends_the_retry() {
        assert_eq!(of_first_branch(retry(3, 5, deadline(3, takes(2, 100)))), ms(0));
    }

    #[test]
    fn under_until_follows_a_value_that_is_not_there_yet() {
        // The inner retry fails after 20 ms at the earliest, but says "not there" after 1 ms.
        let until = Retry {
            until: true,
            ..times(2, Backoff::Fixed(time(3)))
        };
        let tree = node(Kind::Retry(until), &[retry(2, 20, takes(1, 2))]);
        assert_eq!(planned(&tree).fastest_failure(), ms(5));
    }

    #[test]
    fn of_a_callee_is_nothing_where_the_callers_limit_cuts_it() {
        let tree = timeout(60, node(Kind::Fallback, &[callee(50, 40, 100), takes(30, 30)]));
        assert_eq!(planned(&tree).best(), ms(30));
    }
}

mod calls {
    use super::*;

    #[test]
    fn count_each_copy_that_can_start() {
        // Copies start at 0 and 4; the third would start at 6 and end at 8.
        let hedge = Hedge {
            after: time(4),
            copies: Count::exact(3),
            budget: None,
        };
        let tree = timeout(7, node(Kind::Hedge(hedge), &[callee(2, 6, 6)]));
        assert_eq!(planned(&tree).calls(), Some(2));
    }

    #[test]
    fn of_unlimited_attempts_end_with_the_limit() {
        let unlimited = |backoff| {
            let retry = Retry {
                attempts: Attempts::Unlimited,
                ..times(1, backoff)
            };
            planned(&timeout(10, node(Kind::Retry(retry), &[bound(2)]))).calls()
        };
        assert_eq!(unlimited(Backoff::Fixed(time(3))), Some(4));
        assert_eq!(unlimited(Backoff::None), None);
    }

    #[test]
    fn of_a_million_attempts_are_counted_at_once() {
        const MANY: u32 = 1_000_000;
        let growing = Backoff::Exponential {
            base: time(100),
            factor: Factor { digits: 11, scale: 1 },
            max: Some(time(10_000)),
        };
        let tree = node(Kind::Retry(times(MANY, growing)), &[bound(1)]);
        assert_eq!(planned(&tree).calls(), Some(u64::from(MANY)));
        // The 49 waits below the cap; all others are 10 s.
        let below: Duration = (1..=49).map(|k| growing.delay(k).hi).sum();
        assert!(growing.delay(49).hi < ms(10_000));
        assert_eq!(growing.delay(50).hi, ms(10_000));
        assert_eq!(
            worst(&tree),
            Some(ms(1) * MANY + below + ms(10_000) * (MANY - 50))
        );
    }
}

mod charges {
    use super::*;

    const INNER: [Node<'static>; 2] = [
        Node {
            name: "",
            size: 2,
            levels: Levels::DEFAULT,
            kind: Kind::Retry(Retry {
                budget: Some(Charge {
                    key: "PAYMENTS",
                    cost: 5,
                }),
                ..times(3, Backoff::Fixed(time(1)))
            }),
        },
        Node {
            name: "",
            size: 1,
            levels: Levels::DEFAULT,
            kind: Kind::Attempt(Attempt {
                bound: Some(time(5)),
                takes: None,
                idempotent: true,
                key: false,
            }),
        },
    ];
    const PLAN: Plan<'static> = Plan::of(&Policy {
        name: "Inner",
        nodes: &INNER,
    });
    const CALLEE: Callee<'static> = PLAN.callee();

    #[test]
    fn of_a_policy_are_the_units_of_its_retries() {
        assert_eq!(
            PLAN.charges(),
            [Charge {
                key: "PAYMENTS",
                cost: 10
            }]
        );
    }

    #[test]
    fn of_a_callee_count_against_the_callers_allowance() {
        let within = |limit| {
            let allowance = Allowance {
                key: "PAYMENTS",
                limit: Count::exact(limit),
            };
            let tree = node(
                Kind::Allowance(allowance),
                &[retry(2, 1, node(Kind::Call(CALLEE), &[]))],
            );
            !denials(&tree).contains(&(Lint::RetryBudgetExceeded, 0))
        };
        assert!(within(20));
        assert!(!within(19));
    }
}

mod the_article {
    use super::*;

    const WAITS: Backoff<'static> = Backoff::Exponential {
        base: time(100),
        factor: Factor::whole(2),
        max: Some(time(10_000)),
    };

    #[test]
    fn is_refused_with_the_attempts_that_are_cut_and_what_would_fit() {
        let tree = timeout(2000, node(Kind::Retry(times(4, WAITS)), &[bound(800)]));
        let policy = Policy {
            name: "Provider",
            nodes: &tree,
        };
        assert_eq!(denials(&tree), [(Lint::CannotFit, 0)]);
        let text = plan::message(&policy, Lint::CannotFit, 0).expect("it is found");
        let text = text.as_str();
        for part in [
            "`Provider` cannot fit: worst case 3.9 s, limit 2 s",
            "cut at 2000 ms",
            "not reached",
            "fits with: attempts = 2, or timeout(3.9s), or attempt(325ms)",
        ] {
            assert!(text.contains(part), "{part:?} isn't in\n{text}");
        }
    }

    #[test]
    fn fits_with_each_of_the_offers() {
        let fits = |limit, attempts, each| {
            denials(&timeout(
                limit,
                node(Kind::Retry(times(attempts, WAITS)), &[bound(each)]),
            ))
            .is_empty()
        };
        assert!(fits(2000, 2, 800) && !fits(2000, 3, 800));
        assert!(fits(3900, 4, 800) && !fits(3899, 4, 800));
        assert!(fits(2000, 4, 325) && !fits(2000, 4, 326));
    }
}
