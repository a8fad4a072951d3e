//! A function with what it calls: the leaf of its policy is a series of calls, and the whole is judged.

use std::time::Duration;

use retry_planner::{
    Attempt, Attempts, Backoff, Callee, Charge, Count, Jitter, Kind, Level, Levels, Lint, Node, Plan, Policy,
    Range, Repeater, Retry, Takes, calling, plan,
};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn node(size: usize, kind: Kind<'_>) -> Node<'_> {
    Node {
        name: "",
        size,
        levels: Levels::DEFAULT,
        kind,
    }
}

fn attempt(bound: Option<u64>) -> Attempt {
    Attempt {
        bound: bound.map(|bound| Range::exact(ms(bound))),
        takes: None,
        idempotent: true,
        key: false,
    }
}

fn retry(attempts: u32, budget: Option<Charge<'_>>) -> Kind<'_> {
    Kind::Retry(Retry {
        attempts: Attempts::Exactly(Count::exact(attempts)),
        backoff: Backoff::Fixed(Range::exact(ms(1))),
        jitter: Some(Jitter::None),
        budget,
        when: false,
        until: false,
        stop_on_timeout: false,
        hint: None,
    })
}

/// `retry(attempts) { attempt(bound) }`
fn function(attempts: u32, leaf: Attempt, budget: Option<Charge<'_>>) -> Vec<Node<'_>> {
    vec![node(2, retry(attempts, budget)), node(1, Kind::Attempt(leaf))]
}

fn policy<'a>(name: &'a str, nodes: &'a [Node<'a>]) -> Policy<'a> {
    Policy { name, nodes }
}

/// The nodes of `function` with one callee; `N` counts the retry, the series, the call, and the limit if there is one.
fn around<'a, const N: usize>(function: &Policy<'a>, callee: Callee<'a>) -> [Node<'a>; N] {
    assert_eq!(calling::length(function, 1), N);
    calling::nodes(function, &[callee], &[])
}

const PAYS: Option<Charge<'static>> = Some(Charge { key: "SHOP", cost: 1 });

/// Three functions that call each other, each with its attempts, told of the outermost.
fn chain(attempts: [u32; 3], budgets: [Option<Charge<'static>>; 3], tell: impl FnOnce(&Policy<'_>)) {
    let inner = function(attempts[0], attempt(Some(100)), budgets[0]);
    let inner = Plan::of(&policy("charge", &inner));
    let middle = function(attempts[1], attempt(None), budgets[1]);
    let middle = around::<3>(&policy("order", &middle), inner.callee());
    let middle = Plan::of(&policy("order", &middle));
    let outer = function(attempts[2], attempt(None), budgets[2]);
    let outer = around::<3>(&policy("checkout", &outer), middle.callee());
    tell(&policy("checkout", &outer));
}

#[test]
fn three_functions_multiply_and_the_text_shows_whose_factor_is_which() {
    chain([3, 3, 4], [None; 3], |checkout| {
        let text = plan::message(checkout, Lint::Amplification, 0).expect("36 are more than 10");
        assert!(
            text.as_str().starts_with(
                "`checkout` can make 36 calls of one operation in one run: 4 × 3 by `order` × 3 by `charge`"
            ),
            "{}",
            text.as_str()
        );
        let plan = Plan::of(checkout);
        assert_eq!(plan.calls(), Some(36));
        let repeaters = [("checkout", 4), ("order", 3), ("charge", 3)].map(|(name, times)| Repeater {
            name,
            times: Some(times),
        });
        assert_eq!(plan.callee().repeaters, repeaters);
    });
}

#[test]
fn a_chain_whose_inner_functions_do_not_retry_multiplies_nothing() {
    chain([1, 1, 4], [None; 3], |checkout| {
        assert!(!plan::has(checkout, Lint::Amplification, 0));
        assert_eq!(Plan::of(checkout).calls(), Some(4));
    });
}

#[test]
fn a_chain_is_accepted_only_if_all_but_one_of_its_repeaters_pay() {
    let found = |budgets| {
        let mut found = false;
        chain([3, 3, 4], budgets, |checkout| {
            found = plan::has(checkout, Lint::Amplification, 0);
        });
        found
    };
    assert!(!found([PAYS, PAYS, None]));
    assert!(!found([None, PAYS, PAYS]));
    assert!(found([PAYS, None, None]));
    assert!(
        found([None, None, PAYS]),
        "two callees that don't pay are two, not one"
    );
}

#[test]
fn a_callee_that_takes_longer_than_the_attempt_cannot_fit_and_both_are_named() {
    let charge = function(3, attempt(Some(100)), None);
    let charge = Plan::of(&policy("charge", &charge));
    let checkout = function(2, attempt(Some(200)), None);
    let checkout = around::<4>(&policy("checkout", &checkout), charge.callee());
    let text = plan::message(&policy("checkout", &checkout), Lint::CannotFit, 1).expect("302 ms don't fit");
    let text = text.as_str();
    assert!(
        text.starts_with("`checkout` cannot fit: worst case 302 ms, limit 200 ms"),
        "{text}"
    );
    assert!(
        text.contains("charge        0 ms ..    302 ms   cut at 200 ms"),
        "{text}"
    );
    assert!(text.contains("fits with: attempt(302ms)"), "{text}");
}

#[test]
fn a_declared_maximum_is_held_against_what_is_called() {
    let charge = function(3, attempt(Some(100)), None);
    let charge = Plan::of(&policy("charge", &charge));
    let declared = |max| Attempt {
        takes: Some(Takes {
            min: Range::exact(Duration::ZERO),
            max: Some(Range::exact(ms(max))),
        }),
        ..attempt(None)
    };
    for (max, finding) in [(301, true), (302, false)] {
        let checkout = function(2, declared(max), None);
        let checkout = around::<4>(&policy("checkout", &checkout), charge.callee());
        let checkout = policy("checkout", &checkout);
        assert_eq!(plan::has(&checkout, Lint::CannotFit, 1), finding, "{max} ms");
    }
}

#[test]
fn what_is_called_is_the_bound_of_an_attempt_without_one() {
    let charge = function(3, attempt(Some(100)), None);
    let charge = Plan::of(&policy("charge", &charge));
    let checkout = function(2, attempt(None), None);
    let checkout = around::<3>(&policy("checkout", &checkout), charge.callee());
    let checkout = policy("checkout", &checkout);
    assert_eq!(Plan::of(&checkout).worst(), Some(ms(302 + 1 + 302)));
    let denied = Lint::ALL
        .into_iter()
        .filter(|lint| lint.default_level() == Level::Deny && plan::has_inside(&checkout, *lint, 0));
    assert_eq!(denied.collect::<Vec<_>>(), []);
}

#[test]
fn a_body_may_call_nothing_so_a_slow_callee_raises_no_best() {
    let slow = Attempt {
        takes: Some(Takes {
            min: Range::exact(ms(300)),
            max: None,
        }),
        ..attempt(Some(400))
    };
    let slow = [node(1, Kind::Attempt(slow))];
    let slow = Plan::of(&policy("slow", &slow));
    assert_eq!(slow.best(), ms(300));
    let checkout = function(2, attempt(None), None);
    let checkout = around::<3>(&policy("checkout", &checkout), slow.callee());
    assert_eq!(Plan::of(&policy("checkout", &checkout)).best(), Duration::ZERO);
}

#[test]
fn two_callees_are_taken_one_after_another() {
    let charge = function(3, attempt(Some(100)), None);
    let charge = Plan::of(&policy("charge", &charge));
    let once = [node(1, Kind::Attempt(attempt(None)))];
    let once = policy("checkout", &once);
    let both: [Node<'_>; 3] = calling::nodes(&once, &[charge.callee(), charge.callee()], &[]);
    assert_eq!(Plan::of(&policy("checkout", &both)).worst(), Some(ms(604)));
}

#[test]
fn a_callee_that_may_not_be_repeated_is_named_unless_the_caller_has_a_key() {
    let unsafe_leaf = Attempt {
        idempotent: false,
        ..attempt(Some(100))
    };
    let charge = [node(1, Kind::Attempt(unsafe_leaf))];
    let charge = Plan::of(&policy("charge", &charge));
    for key in [false, true] {
        let leaf = Attempt { key, ..attempt(None) };
        let checkout = function(2, leaf, None);
        let checkout = around::<3>(&policy("checkout", &checkout), charge.callee());
        let checkout = policy("checkout", &checkout);
        let text = plan::message(&checkout, Lint::RetryUnsafe, 2);
        assert_eq!(text.is_none(), key);
        if let Some(text) = text {
            assert!(
                text.as_str().starts_with(
                    "`checkout` retries `charge`, which is not idempotent, and has no idempotency key"
                ),
                "{}",
                text.as_str()
            );
        }
    }
}

#[test]
fn a_callee_without_an_end_is_named() {
    let endless = [node(1, Kind::Attempt(attempt(None)))];
    let endless = Plan::of(&policy("endless", &endless));
    let checkout = function(2, attempt(None), None);
    let checkout = around::<3>(&policy("checkout", &checkout), endless.callee());
    let text = plan::message(&policy("checkout", &checkout), Lint::Unbounded, 2).expect("it has no end");
    assert!(
        text.as_str()
            .starts_with("`checkout` has no worst case: it calls `endless`"),
        "{}",
        text.as_str()
    );
}

#[test]
fn only_what_a_callee_brings_is_told_beside_a_policy_that_has_findings_of_its_own() {
    let hot = function(9, attempt(Some(100)), None);
    let mut hot = [hot[0], hot[1]];
    let Kind::Retry(retry) = &mut hot[0].kind else {
        unreachable!("the first is the retry");
    };
    retry.backoff = Backoff::None;
    let hot = policy("hot", &hot);
    assert!(plan::has(&hot, Lint::HotLoop, 0));
    let once = [node(1, Kind::Attempt(attempt(Some(50))))];
    let once = Plan::of(&policy("once", &once));
    let calling = around::<4>(&hot, once.callee());
    plan::check_calling(&hot, &policy("hot", &calling));
}
