//! Which calls of which leaf amplification counts, and how soon something can fail: what comes after it starts then.

mod judge;

use std::time::Duration;

use judge::with;
use retry_planner::Lint;
use retry_planner::plan::{Judged, Plan};

fn told(text: &str) -> String {
    let mut told = Vec::new();
    with(text, |policy| {
        let judged = Judged::of(policy);
        let found = (0..policy.nodes.len()).filter_map(|node| judged.message(Lint::Amplification, node));
        told = found
            .map(|text| text.as_str().lines().next().unwrap_or_default().to_owned())
            .collect();
    });
    told.join("\n")
}

/// Retries inside of each other, each of two attempts.
fn nested(depth: usize) -> String {
    let retry = "retry(attempts = 2, backoff = fixed(1ms), jitter = none) { ";
    format!("{}attempt(1ms){}", retry.repeat(depth), " }".repeat(depth))
}

#[test]
fn the_leaf_that_is_called_most_is_told_wherever_it_stands() {
    let (few, many) = (nested(2), nested(3));
    for inside in [format!("a: {few}, b: {many}"), format!("a: {many}, b: {few}")] {
        let text =
            format!("retry(attempts = 2, backoff = fixed(1ms), jitter = none) {{ series {{ {inside} }} }}");
        assert_eq!(
            told(&text),
            "`policy` can make 16 calls of one operation in one run: 2 × 2 × 2 × 2"
        );
    }
}

#[test]
fn more_repeaters_than_a_callee_tells_apart_are_multiplied_together() {
    for depth in [8, 9, 11] {
        // The outermost first.
        let attempts: Vec<u64> = (0..depth).map(|n| 2 + n % 3).collect();
        let text = attempts
            .iter()
            .rev()
            .fold("attempt(1ms)".to_owned(), |inside, attempts| {
                format!("retry(attempts = {attempts}, backoff = fixed(1ms), jitter = none) {{ {inside} }}")
            });
        let mut times = Vec::new();
        with(&text, |policy| {
            let plan = Plan::of(policy);
            times = plan
                .callee()
                .repeaters
                .iter()
                .map(|repeater| repeater.times)
                .collect();
        });
        let (told, rest) = attempts.split_at(7);
        let expected: Vec<_> = told
            .iter()
            .copied()
            .chain([rest.iter().product()])
            .map(Some)
            .collect();
        assert_eq!(times, expected, "{depth} retries");
    }
}

#[test]
fn a_leaf_whose_repeaters_pay_for_nothing_counts_beside_one_that_is_called_more() {
    let retry = |attempts, budget, inside: &str| {
        format!("retry(attempts = {attempts}, backoff = fixed(1ms), jitter = none{budget}) {{ {inside} }}")
    };
    let paid = ", budget = K";
    let more = retry(5, "", "attempt(1ms)");
    let free = retry(2, "", &retry(2, "", "attempt(1ms)"));
    let settled = retry(2, "", &retry(2, paid, "attempt(1ms)"));
    let both = |one: &str, other: &str| told(&retry(4, paid, &format!("series {{ a: {one}, b: {other} }}")));
    for told in [both(&more, &free), both(&free, &more)] {
        assert_eq!(
            told,
            "`policy` can make 16 calls of one operation in one run: 4 × 2 × 2"
        );
    }
    assert_eq!(
        both(&more, &settled),
        "",
        "all but one of the repeaters around each leaf pay"
    );
    assert_eq!(both(&settled, &more), "");
    // What a caller sees is the most of either.
    for (one, other) in [(&more, &free), (&free, &more)] {
        with(
            &retry(4, paid, &format!("series {{ a: {one}, b: {other} }}")),
            |policy| {
                let plan = Plan::of(policy);
                let callee = plan.callee();
                assert_eq!((callee.leaf_calls, callee.unpaid), (Some(20), 2));
            },
        );
    }
}

#[test]
fn what_comes_after_a_deadline_that_may_have_passed_can_start_at_once() {
    // The callee needs 4 ms to fail, but not where its deadline has passed before it starts.
    let page = |deadline: &str| {
        format!(
            "struct Slow {{ retry(attempts = 2, backoff = fixed(4ms), jitter = none) {{ attempt(takes = 10ms..=20ms) }} }}
             struct Page {{ fallback {{
                 a: attempt(takes = 60ms..=60ms), b: deadline({deadline}) {{ call(Slow) }}, c: attempt(takes = 1ms..=2ms),
             }} }}"
        )
    };
    for (deadline, best) in [("50ms", 1), ("60ms", 1), ("120ms", 5)] {
        let file = retry_syntax::text::parse_str(&page(deadline)).expect("it can be read");
        let figures = file.policies[1].policy.with(|policy| {
            let plan = Plan::of(policy);
            (plan.best(), plan.fastest_failure())
        });
        assert_eq!(
            figures,
            (Duration::from_millis(best), Duration::from_millis(best - 1)),
            "{deadline}"
        );
    }
}

#[test]
fn a_hedge_fails_when_its_last_copy_has_unless_something_may_end_it_sooner() {
    let failure = |text: &str| {
        let mut failure = Duration::MAX;
        with(text, |policy| failure = Plan::of(policy).fastest_failure());
        failure.as_millis()
    };
    // A copy needs 5 ms to fail; the third starts with the first one's end.
    let copy = "retry(attempts = 2, backoff = fixed(5ms), jitter = none)";
    let plain = format!("hedge(after = 3ms, copies = 3) {{ {copy} {{ attempt(1ms) }} }}");
    assert_eq!(failure(&plain), 10);
    let slow = format!("hedge(after = 2ms, copies = 3) {{ {copy} {{ attempt(1ms) }} }}");
    assert_eq!(failure(&slow), 9, "the third starts by time");
    let paid = format!("hedge(after = 3ms, copies = 3, budget = K) {{ {copy} {{ attempt(1ms) }} }}");
    assert_eq!(failure(&paid), 5, "the budget may refuse every copy");
}
