//! The cases of another planner (`WorkIt` 0.5.0, `data/workit-cases.json`), each written as a policy of ours.
//!
//! Its `duration` is what an attempt is expected to take at most, so it becomes `takes`; its deadlines say what is left,
//! so they become what is left. Each case pins our figures. Where the file differs in any of worst, calls, work, demand
//! or verdict, the case names the rule that decides; a case without a rule has to agree in all five.

mod judge;

use judge::{Told, judge, refused};
use retry_planner::Lint::{self, CannotFit, HotLoop, RetryBudgetExceeded};
use serde_json::Value;

struct Case {
    /// The case in the file begins with this.
    name: &'static str,
    policy: &'static str,
    worst_ms: f64,
    calls: u64,
    work_ms: f64,
    /// All denials.
    denied: &'static [Lint],
    /// Why the file says something else.
    rule: Option<&'static str>,
}

const CASES: &[Case] = &[
    Case {
        name: "c01",
        policy: "timeout(2s) {
            retry(attempts = 4, backoff = exponential(100ms, factor = 2, max = 30s), jitter = none) { attempt(takes = 800ms) }
        }",
        worst_ms: 2000.0,
        calls: 4,
        work_ms: 2000.0,
        denied: &[CannotFit],
        rule: Some("18: the worst case without the limit, 3.9 s, ends after it, so the policy is refused"),
    },
    Case {
        name: "c04",
        policy: "retry(attempts = 5, backoff = linear(10ms, max = 25ms), jitter = none) { attempt(takes = 10ms) }",
        worst_ms: 130.0,
        calls: 5,
        work_ms: 50.0,
        denied: &[],
        rule: None,
    },
    Case {
        name: "c05",
        policy: "retry(attempts = 10, backoff = exponential(500ms, factor = 2, max = 5s)) { attempt(takes = 1s) }",
        worst_ms: 42_500.0,
        calls: 10,
        work_ms: 10_000.0,
        denied: &[],
        rule: None,
    },
    Case {
        name: "c06",
        policy: "retry(attempts = 4, backoff = fixed(20ms), jitter = none) { attempt(takes = 10ms) }",
        worst_ms: 100.0,
        calls: 4,
        work_ms: 40.0,
        denied: &[],
        rule: None,
    },
    Case {
        name: "c09",
        policy: "hedge(after = 25ms, copies = 3) { attempt(takes = 100ms) }",
        worst_ms: 150.0,
        calls: 3,
        work_ms: 300.0,
        denied: &[],
        rule: None,
    },
    Case {
        name: "c10",
        policy: "timeout(300ms) { hedge(after = 100ms, copies = 2) {
            retry(attempts = 2, backoff = fixed(50ms), jitter = none) { attempt(takes = 100ms) }
        } }",
        worst_ms: 300.0,
        calls: 4,
        work_ms: 400.0,
        denied: &[CannotFit],
        rule: Some("18: the second copy may need until 350 ms"),
    },
    Case {
        name: "c12",
        policy: "timeout(100ms) { series {
            slow: attempt(takes = 5s),
            quick: retry(attempts = 1, backoff = none) { attempt(takes = 1ms) },
        } }",
        worst_ms: 100.0,
        calls: 2,
        work_ms: 101.0,
        denied: &[CannotFit],
        rule: Some("18 and 22: 5.001 s don't fit, whichever step is slow, and no call works past the limit"),
    },
    Case {
        name: "c13",
        policy: "timeout(10ms) { retry(attempts = 1000, backoff = fixed(0ms), jitter = none) { attempt(takes = 1s) } }",
        worst_ms: 10.0,
        calls: 1000,
        work_ms: 10.0,
        denied: &[CannotFit, HotLoop],
        rule: Some("18 and 22: refused, and no call works for more than the 10 ms"),
    },
    Case {
        name: "c14",
        policy: "retry(attempts = 3, backoff = fixed(100ms), jitter = none) { timeout(200ms) { attempt(takes = 500ms) } }",
        worst_ms: 800.0,
        calls: 3,
        work_ms: 600.0,
        denied: &[CannotFit],
        rule: Some("18 and 22: 500 ms don't fit in 200 ms, and a cut call works for 200 ms"),
    },
    Case {
        name: "c15",
        policy: "deadline(50ms) { attempt(takes = 100ms) }",
        worst_ms: 50.0,
        calls: 1,
        work_ms: 50.0,
        denied: &[CannotFit],
        rule: Some("22: a cut call works until the cut"),
    },
    Case {
        name: "c18",
        policy: "series { first: attempt(takes = 900ms), second: deadline(1s) { attempt(takes = 500ms) } }",
        worst_ms: 1000.0,
        calls: 2,
        work_ms: 1400.0,
        denied: &[CannotFit],
        rule: Some("14: a deadline is a point on the policy's clock; after 900 ms it leaves 100 ms"),
    },
    Case {
        name: "c19",
        policy: "retry(attempts = 3, backoff = fixed(100ms), jitter = none) { deadline(1s) { attempt(takes = 800ms) } }",
        worst_ms: 1000.0,
        calls: 3,
        work_ms: 2400.0,
        denied: &[CannotFit],
        rule: Some("20: the deadline doesn't start anew with each attempt"),
    },
    Case {
        name: "c20",
        policy: "hedge(after = 500ms, copies = 3) { deadline(1s) { attempt(takes = 800ms) } }",
        worst_ms: 1000.0,
        calls: 3,
        work_ms: 2400.0,
        denied: &[CannotFit],
        rule: Some("14 and 20: every copy has the same deadline"),
    },
    Case {
        name: "c21",
        policy: "deadline(1s) { deadline(100ms) { attempt(takes = 500ms) } }",
        worst_ms: 100.0,
        calls: 1,
        work_ms: 100.0,
        denied: &[CannotFit],
        rule: Some("22: a cut call works until the cut; two clocks can't be written"),
    },
    Case {
        name: "c25",
        policy: "timeout(300us) { series { a: attempt(takes = 100us), b: attempt(takes = 200us) } }",
        worst_ms: 0.3,
        calls: 2,
        work_ms: 0.3,
        denied: &[],
        rule: Some("1: what ends exactly at a limit is in time; whole nanoseconds add up exactly"),
    },
    Case {
        name: "c26",
        policy: "parallel {
            a: retry(attempts = 3, backoff = fixed(100ms), jitter = none, budget = B) { attempt(takes = 800ms) },
            b: retry(attempts = 3, backoff = fixed(100ms), jitter = none, budget = B) { attempt(takes = 800ms) },
        }",
        worst_ms: 2600.0,
        calls: 6,
        work_ms: 4800.0,
        denied: &[],
        rule: None,
    },
    Case {
        name: "c27",
        policy: "series {
            a: retry(attempts = 2, backoff = exponential(100ms, factor = 2, max = 30s), budget = B) { attempt(takes = 10ms) },
            b: retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 30s), budget = B) {
                retry(attempts = 2, backoff = exponential(100ms, factor = 2, max = 30s), budget = B) { attempt(takes = 10ms) }
            },
        }",
        worst_ms: 780.0,
        calls: 8,
        work_ms: 80.0,
        denied: &[RetryBudgetExceeded],
        rule: None,
    },
    Case {
        name: "c29",
        policy: "retry(attempts = 1, backoff = fixed(10ms), jitter = none, budget = B) { attempt(takes = 10ms) }",
        worst_ms: 10.0,
        calls: 1,
        work_ms: 10.0,
        denied: &[],
        rule: Some("issue: a budget without demand is never a fault"),
    },
    Case {
        name: "c30",
        policy: "timeout(10ms) {
            retry(attempts = 100, backoff = fixed(0ms), jitter = none, budget = B) { attempt(takes = 1s) }
        }",
        worst_ms: 10.0,
        calls: 6,
        work_ms: 10.0,
        denied: &[CannotFit, RetryBudgetExceeded, HotLoop],
        rule: Some("21 and 22: the budget grants five retries, whatever is asked; no call works past the limit"),
    },
    Case {
        name: "c31",
        policy: "hedge(after = 5ms, copies = 2) {
            retry(attempts = 3, backoff = fixed(5ms), jitter = none, budget = B) { attempt(takes = 10ms) }
        }",
        worst_ms: 45.0,
        calls: 6,
        work_ms: 60.0,
        denied: &[],
        rule: None,
    },
    Case {
        name: "c49",
        policy: "parallel {
            a: retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 30s), budget = B) { attempt(takes = 800ms) },
            b: retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 30s), budget = B) { attempt(takes = 800ms) },
        }",
        worst_ms: 2700.0,
        calls: 6,
        work_ms: 4800.0,
        denied: &[],
        rule: None,
    },
];

/// Cases that the peer answers with an error, or that are errors here.
const INPUT: &[(&str, &str)] = &[
    (
        "c07",
        "a backoff that isn't known is an error with the right spelling",
    ),
    (
        "c16",
        "a deadline that has passed is no deadline: it can't be written, and planning within nothing denies",
    ),
    ("c23", "an empty composition is an error"),
    (
        "c35",
        "64 limits of one length are fine: equality doesn't count (rule 17)",
    ),
    ("c36", "so are 65; depth has no limit that a person could write"),
    ("c38", "1001 attempts are planned like any other count"),
    ("c39", "no copies are an error"),
    ("c42", "600 h are a duration"),
    ("c43", "a fallback is a node; an empty one is an error"),
    ("c44", "a deadline is a duration, and nothing else"),
    ("c47", "a limit of zero is an error (rule 12)"),
];

fn file() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("data/workit-cases.json")).expect("the file is JSON");
    file["cases"].as_array().expect("a list of cases").clone()
}

fn peer<'f>(file: &'f [Value], name: &str) -> &'f Value {
    file.iter()
        .find(|case| case["name"].as_str().is_some_and(|known| known.starts_with(name)))
        .unwrap_or_else(|| panic!("the file has a case {name}"))
}

/// What the file's snapshot of a budget has left is an allowance here.
fn told(case: &Case, file: &[Value]) -> Told {
    match peer(file, case.name)["options"]["retryBudgets"][0]["state"].as_object() {
        None => judge(case.policy),
        Some(state) => {
            let number = |name: &str| state[name].as_u64().expect("a count");
            let left = number("limit") - number("spent");
            judge(&format!("allowance(B = {left}) {{ {} }}", case.policy))
        }
    }
}

#[test]
fn every_case_has_the_figures_that_the_rules_give() {
    let file = file();
    for case in CASES {
        let told = told(case, &file);
        let name = case.name;
        let figures = (told.worst_ms(), told.calls(), told.work_ms());
        assert_eq!(
            figures,
            (Some(case.worst_ms), Some(case.calls), Some(case.work_ms)),
            "worst, calls and work of {name}"
        );
        assert_eq!(told.denials(), case.denied, "denials of {name}");
    }
}

#[test]
fn where_the_peer_differs_a_rule_decides_and_nowhere_else() {
    let file = file();
    for case in CASES {
        let theirs = &peer(&file, case.name)["peer_output"];
        let told = told(case, &file);
        let alike = theirs["upperBoundMs"].as_f64() == told.worst_ms()
            && theirs["attempts"].as_u64() == told.calls()
            && theirs["parallelWorkMs"].as_f64() == told.work_ms()
            && theirs["valid"].as_bool() == Some(!told.denied())
            && (theirs["warningCodes"]
                .as_array()
                .is_none_or(|codes| !codes.contains(&"time_exceeds_timeout".into()))
                || told.denied());
        assert_eq!(
            alike,
            case.rule.is_none(),
            "{}: {:?} against {theirs}",
            case.name,
            told
        );
    }
}

#[test]
fn every_case_of_the_file_is_here() {
    for case in &file() {
        let name = &case["name"].as_str().expect("a name")[..3];
        let planned = CASES.iter().filter(|case| case.name == name).count();
        let input = INPUT.iter().filter(|(known, _)| *known == name).count();
        assert_eq!(planned + input, 1, "{name} is translated once");
    }
}

/// What a refusal of the language says, in one text.
fn fault(policy: &str) -> String {
    refused(policy).join("\n")
}

#[test]
fn what_cannot_be_meant_cannot_be_written() {
    let misspelt = fault("retry(attempts = 4, backoff = exponentail(10ms)) { attempt(takes = 10ms) }");
    assert!(misspelt.contains("exponential"), "{misspelt}");
    for empty in [
        "retry(attempts = 3, backoff = fixed(10ms)) { series { } }",
        "fallback { }",
    ] {
        assert!(!fault(empty).is_empty());
    }
    assert!(!fault("hedge(after = 1ms, copies = 0) { attempt(takes = 1ms) }").is_empty());
    assert!(!fault("timeout(0ms) { attempt(takes = 0ms) }").is_empty());
    assert!(!fault("deadline(0ms) { attempt(takes = 100ms) }").is_empty());
    assert!(!fault("deadline(\"100\") { attempt(takes = 5ms) }").is_empty());
}

#[test]
fn what_the_peer_finds_too_large_is_planned() {
    let nested =
        |depth: usize| "timeout(10s) { ".repeat(depth) + "attempt(takes = 1ms)" + &" }".repeat(depth);
    for depth in [64, 65] {
        let told = judge(&nested(depth));
        assert_eq!(
            (told.worst_ms(), told.denials().len()),
            (Some(1.0), 0),
            "{depth} deep"
        );
    }

    let told = judge(
        "retry(attempts = 1001, backoff = exponential(100ms, factor = 2, max = 30s)) { attempt(takes = 1ms) }",
    );
    // 0.1 + 0.2 + … + 25.6 s, then 991 waits of 30 s, and 1001 attempts.
    assert_eq!(
        (told.worst_ms(), told.calls()),
        (Some(51_100.0 + 991.0 * 30_000.0 + 1001.0), Some(1001))
    );

    assert_eq!(
        judge("attempt(takes = 600h)").worst_ms(),
        Some(600.0 * 3_600_000.0)
    );
    assert_eq!(
        judge("deadline(100ms) { attempt(takes = 5ms) }").worst_ms(),
        Some(5.0)
    );
}

#[test]
fn a_timeout_truncates_what_budgets_must_admit() {
    // Retries start at 4 ms and 8 ms at the earliest; the peer would count all 99.
    let told = judge(
        "timeout(10ms) { allowance(B = 2) {
            retry(attempts = ..=100, backoff = fixed(4ms), jitter = none, budget = B) { attempt(takes = 1ms) }
        } }",
    );
    assert_eq!(told.calls(), Some(3));
    assert!(!told.has(RetryBudgetExceeded));
}
