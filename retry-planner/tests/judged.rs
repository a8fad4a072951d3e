//! What is known at run time: figures node by node, what a caller has left, what budgets hold, and the worst case in pieces.

mod judge;

use std::time::Duration;

use judge::with;
use retry_planner::plan::{self, Judged, Piece, Snapshot, SnapshotFault, Standing, What};
use retry_planner::{Level, Lint};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

const PAGE: &str = "deadline(2s) { series {
    user: attempt(takes = 100ms..=200ms),
    orders: retry(attempts = 3, backoff = fixed(50ms), jitter = none, budget = DB) {
        parallel { items: attempt(300ms), prices: hedge(after = 80ms, copies = 2, budget = DB) { attempt(300ms) } }
    },
    log: allowance(LOG = 1) { retry(attempts = 2, backoff = none, budget = LOG) { attempt(10ms) } },
} }";

mod figures_of_a_node {
    use super::*;

    #[test]
    fn are_its_starts_its_attempts_and_what_it_takes() {
        with(PAGE, |policy| {
            let judged = Judged::of(policy);
            let orders = judged.node(3);
            assert_eq!((orders.earliest, orders.latest), (ms(100), Some(ms(200))));
            assert_eq!(
                (orders.starts, orders.attempts, orders.calls),
                (Some(1), Some(3), Some(9))
            );
            assert_eq!(orders.worst, Some(ms(3 * 380 + 2 * 50)));
            let prices = judged.node(6);
            // The third attempt starts after two that failed at once, at the earliest, or took as long as they may.
            assert_eq!(
                (prices.earliest, prices.latest),
                (ms(100), Some(ms(200 + 2 * 430)))
            );
            assert_eq!(
                (prices.starts, prices.attempts, prices.calls),
                (Some(3), Some(2), Some(2))
            );
            assert_eq!(prices.worst, Some(ms(380)));
            assert_eq!(prices.work, Some(ms(600)));
        });
    }

    #[test]
    fn add_up_to_those_of_the_policy() {
        with(PAGE, |policy| {
            let judged = Judged::of(policy);
            let leaves: Vec<_> = judged.leaves().collect();
            assert_eq!(leaves, [(2, Some(1)), (5, Some(3)), (7, Some(6)), (10, Some(2))]);
            assert_eq!(judged.plan().calls(), Some(12));
            for (leaf, calls) in leaves {
                assert_eq!(plan::leaf_calls(policy, leaf), calls);
            }
        });
    }
}

mod within_what_a_caller_has_left {
    use super::*;

    #[test]
    fn nothing_takes_longer_and_what_would_come_too_late_is_not_called() {
        with(PAGE, |policy| {
            let plan = policy.plan_within(ms(140));
            // One step of 100 ms at the least; then the retry's second attempt would start at 150.
            assert_eq!((plan.worst(), plan.calls()), (Some(ms(140)), Some(6)));
            assert_eq!(policy.plan_within(Duration::ZERO).calls(), Some(0));
            assert_eq!(policy.plan_within(Duration::MAX).calls(), policy.plan().calls());
            let judged = Judged::within(policy, ms(140));
            assert_eq!(judged.node(3).attempts, Some(1));
            assert!(judged.has(Lint::Unreachable, 3));
        });
    }

    #[test]
    fn an_attempt_without_a_bound_is_bounded_by_it() {
        with(
            "retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt }",
            |policy| {
                assert_eq!(policy.plan().worst(), None);
                assert_eq!(policy.plan_within(ms(50)).worst(), Some(ms(50)));
            },
        );
    }
}

mod budgets {
    use super::*;

    const fn snapshot(key: &str, left: u64) -> Snapshot<'_> {
        Snapshot {
            key,
            left,
            capacity: 100,
            cost: 1,
        }
    }

    fn standings(snapshots: &[Snapshot<'static>]) -> Vec<Standing> {
        with(PAGE, |policy| {
            let judged = Judged::of(policy)
                .with_budgets(snapshots)
                .expect("they are the policy's");
            judged.budgets().iter().map(|budget| budget.standing).collect()
        })
    }

    #[test]
    fn have_retries_and_hedges_told_apart() {
        with(PAGE, |policy| {
            let demand = plan::demand_of(policy, "DB");
            assert_eq!(
                (demand.retries, demand.hedges, demand.units),
                (Some(2), Some(3), Some(5))
            );
            assert_eq!(plan::demand_of(policy, "OTHER").units, Some(0));
        });
    }

    #[test]
    fn are_admissible_exceeded_or_unverified() {
        use Standing::{Admissible, Exceeded, Unverified};
        assert_eq!(
            standings(&[snapshot("DB", 5), snapshot("LOG", 1)]),
            [Admissible, Admissible]
        );
        assert_eq!(
            standings(&[snapshot("DB", 4), snapshot("LOG", 0)]),
            [Exceeded, Exceeded]
        );
        assert_eq!(standings(&[snapshot("DB", 5)]), [Admissible, Unverified]);
        assert_eq!(Unverified.word(), "unverified");
    }

    #[test]
    fn are_asked_in_their_own_units() {
        let dear = Snapshot {
            cost: 5,
            ..snapshot("DB", 24)
        };
        assert_eq!(standings(&[dear])[0], Standing::Exceeded);
        assert_eq!(
            standings(&[Snapshot { left: 25, ..dear }])[0],
            Standing::Admissible
        );
    }

    #[test]
    fn are_never_asked_for_more_than_an_allowance_grants() {
        with(
            "allowance(K = 2) { retry(attempts = 9, backoff = fixed(1ms), jitter = none, budget = K) { attempt(5ms) } }",
            |policy| {
                assert_eq!(plan::demand_of(policy, "K").units, Some(2));
                assert_eq!(policy.plan().calls(), Some(3));
            },
        );
    }

    #[test]
    fn without_demand_are_never_a_fault() {
        with(
            "deadline(5ms) { retry(attempts = ..=3, backoff = fixed(10ms), jitter = none, budget = K) { attempt(5ms) } }",
            |policy| {
                for snapshots in [&[][..], &[snapshot("K", 0)][..]] {
                    let judged = Judged::of(policy)
                        .with_budgets(snapshots)
                        .expect("it is the policy's");
                    assert_eq!(judged.budgets()[0].standing, Standing::Admissible);
                    assert!(!judged.has(Lint::RetryBudgetUnverified, 1));
                    assert!(!judged.has(Lint::RetryBudgetExceeded, 1));
                }
            },
        );
    }

    #[test]
    fn are_found_where_they_are_first_charged_and_only_once_somebody_said_what_they_have() {
        with(PAGE, |policy| {
            let silent = Judged::of(policy);
            assert!(!silent.has(Lint::RetryBudgetUnverified, 3));
            let judged = Judged::of(policy)
                .with_budgets(&[snapshot("LOG", 0)])
                .expect("it is the policy's");
            let found: Vec<_> = judged
                .findings()
                .filter(|found| {
                    matches!(
                        found.lint,
                        Lint::RetryBudgetExceeded | Lint::RetryBudgetUnverified
                    )
                })
                .map(|found| (found.lint, found.node, found.level))
                .collect();
            assert_eq!(
                found,
                [
                    (Lint::RetryBudgetUnverified, 3, Level::Deny),
                    (Lint::RetryBudgetExceeded, 9, Level::Deny)
                ]
            );
            let text = judged.message(Lint::RetryBudgetExceeded, 9).expect("it is found");
            let expected = "may charge 1 unit to `LOG`, which has 0 left\n  fits with: attempts = 1";
            assert!(text.as_str().contains(expected), "{}", text.as_str());
            let text = judged
                .message(Lint::RetryBudgetUnverified, 3)
                .expect("it is found");
            assert!(text.as_str().contains("5 units to `DB`"), "{}", text.as_str());
        });
    }

    #[test]
    fn take_only_snapshots_that_can_be_theirs() {
        let fault = |snapshots: &[Snapshot<'static>]| {
            with(PAGE, |policy| {
                let fault = Judged::of(policy).with_budgets(snapshots).expect_err("a fault");
                (
                    fault.to_string(),
                    matches!(fault, SnapshotFault::Duplicate { .. }),
                )
            })
        };
        assert_eq!(
            fault(&[snapshot("DB", 5), snapshot("DB", 6)]),
            ("two snapshots of the budget `DB`".to_owned(), true)
        );
        assert_eq!(
            fault(&[snapshot("DBS", 5)]).0,
            "a snapshot of `DBS`, which the policy doesn't charge"
        );
        assert_eq!(
            fault(&[snapshot("DB", 101)]).0,
            "a snapshot of `DB` with 101 units left, where it holds at most 100"
        );
    }

    #[test]
    fn beyond_those_that_callers_can_be_told_of_are_an_overflow_and_still_counted() {
        let step =
            |n: usize| format!("s{n}: retry(attempts = 2, backoff = none, budget = B{n}) {{ attempt(1ms) }}");
        let steps: Vec<_> = (0..9).map(step).collect();
        with(&format!("series {{ {} }}", steps.join(", ")), |policy| {
            let judged = Judged::of(policy);
            assert_eq!(judged.budgets().len(), 9);
            assert_eq!(judged.plan().charges().len(), 8);
            assert!(judged.has(Lint::Overflow, 0));
            let text = judged.message(Lint::Overflow, 0).expect("it is found");
            assert!(text.as_str().contains("more than 8 budgets"), "{}", text.as_str());
        });
    }
}

mod the_worst_case_in_pieces {
    use super::*;

    /// Node, what happens, start, end, cut, in milliseconds.
    type Told = (usize, What, u64, Option<u64>, Option<u64>);

    fn pieces(text: &str) -> Vec<Told> {
        let whole = |time: Duration| u64::try_from(time.as_millis()).expect("a short time");
        with(text, |policy| {
            Judged::of(policy)
                .pieces(100)
                .iter()
                .map(|piece: &Piece| {
                    let (start, end, cut) = (piece.start, piece.end, piece.cut);
                    (
                        piece.node,
                        piece.what,
                        whole(start),
                        end.map(whole),
                        cut.map(whole),
                    )
                })
                .collect()
        })
    }

    #[test]
    fn is_cut_where_a_limit_ends_it_and_waits_into_none() {
        let article = "timeout(2s) {
            retry(attempts = 4, backoff = exponential(100ms, factor = 2, max = 10s), jitter = none) { attempt(800ms) }
        }";
        assert_eq!(
            pieces(article),
            [
                (2, What::Call, 0, Some(800), None),
                (1, What::Wait(2), 800, Some(900), None),
                (2, What::Call, 900, Some(1700), None),
                (1, What::Wait(3), 1700, Some(1900), None),
                (2, What::Call, 1900, Some(2700), Some(2000)),
            ]
        );
    }

    #[test]
    fn has_copies_side_by_side_and_steps_one_after_another() {
        let text = "series { a: hedge(after = 30ms, copies = 2) { attempt(50ms) }, b: parallel { c: attempt(5ms), d: attempt(7ms) } }";
        assert_eq!(
            pieces(text),
            [
                (2, What::Call, 0, Some(50), None),
                (2, What::Call, 30, Some(80), None),
                (4, What::Call, 80, Some(85), None),
                (5, What::Call, 80, Some(87), None),
            ]
        );
    }

    #[test]
    fn ends_with_the_worst_case_and_is_no_longer_than_asked_for() {
        with(PAGE, |policy| {
            let judged = Judged::of(policy);
            let ends = judged
                .pieces(100)
                .into_iter()
                .map(|piece| piece.cut.or(piece.end));
            assert_eq!(ends.max().flatten(), judged.plan().worst());
            assert_eq!(judged.pieces(3).len(), 3);
        });
    }
}

#[test]
fn an_expected_finding_that_is_not_there_is_told_once_where_it_stands() {
    let text = "#[expect(cannot_fit)] series {
        a: attempt(5ms),
        b: #[expect(never_fires)] timeout(10ms) { timeout(20ms) { attempt(5ms) } },
    }";
    with(text, |policy| {
        let judged = Judged::of(policy);
        assert!(judged.has_inside(Lint::NeverFires, 2));
        assert_eq!(judged.unfulfilled().collect::<Vec<_>>(), [(Lint::CannotFit, 0)]);
    });
}

#[test]
fn a_pair_is_offered_where_no_single_figure_fits() {
    let text = "deadline(1s) { timeout(400ms) { series {
        a: attempt(takes = 300ms..=500ms), b: attempt(takes = 600ms..=700ms),
    } } }";
    with(text, |policy| {
        let judged = Judged::of(policy);
        let text = judged.message(Lint::Impossible, 1).expect("it is found");
        let expected =
            "nothing that is changed alone makes it fit\n  fits with: timeout(1.2s) and deadline(1.2s)";
        assert!(text.as_str().contains(expected), "{}", text.as_str());
    });
    let fixed = "deadline(1.2s) { timeout(1.2s) { series {
        a: attempt(takes = 300ms..=500ms), b: attempt(takes = 600ms..=700ms),
    } } }";
    with(fixed, |policy| {
        assert_eq!(Judged::of(policy).findings().count(), 0);
    });
}

#[test]
fn what_is_opted_into_is_found() {
    let text = "#[warn(ignores_retry_after, retries_client_errors, no_deadline, too_many_attempts)]
        retry(attempts = 6, backoff = exponential(10ms, factor = 2, max = 1s)) { attempt(50ms) }";
    with(text, |policy| {
        let judged = Judged::of(policy);
        let found: Vec<_> = judged.findings().map(|found| (found.lint, found.level)).collect();
        assert_eq!(
            found,
            [
                (Lint::NoDeadline, Level::Warn),
                (Lint::TooManyAttempts, Level::Warn),
                (Lint::IgnoresRetryAfter, Level::Warn),
                (Lint::RetriesClientErrors, Level::Warn)
            ]
        );
    });
    let heeds = "#[warn(ignores_retry_after, retries_client_errors, no_deadline)] deadline(5s) {
        retry(attempts = 2, backoff = fixed(10ms), jitter = none, when = transient, retry_after = hint) { attempt(50ms) }
    }";
    with(heeds, |policy| {
        let judged = Judged::of(policy);
        for lint in [
            Lint::IgnoresRetryAfter,
            Lint::RetriesClientErrors,
            Lint::NoDeadline,
        ] {
            assert!(!judged.has_inside(lint, 0), "{lint:?}");
        }
    });
}

#[test]
fn a_limit_beside_a_repeat_is_no_deadline_for_it() {
    let beside = "series { a: timeout(1s) { attempt(50ms) }, b: retry(attempts = 2, backoff = none) { timeout(1s) { attempt(50ms) } } }";
    with(beside, |policy| {
        assert!(Judged::of(policy).has(Lint::NoDeadline, 0));
    });
    with(&format!("timeout(3s) {{ {beside} }}"), |policy| {
        assert!(!Judged::of(policy).has(Lint::NoDeadline, 0));
    });
}
