//! Policies as text: read from a file, and written back as they were.

use std::time::Duration;

use retry_planner::{Kind, Level, Lint, Range};
use retry_syntax::lower::OwnedCallee;
use retry_syntax::text::{File, TextError, parse_str_with, print};

fn read(text: &str) -> Result<File, Vec<TextError>> {
    parse_str_with(text, &|_| OwnedCallee::instant())
}

const ALL: &str = "struct Page {
    #[allow(cannot_fit, no_jitter)]
    deadline(2s) {
        series {
            user: retry(attempts = 3, backoff = exponential(100ms, factor = 1.5, max = 1s), jitter = full, budget = a::B, when = _, until = _, timeouts = stop, retry_after = _, retry_after_max = 30s) {
                attempt(500ms, takes = 1ms..=400ms, idempotent = false, idempotency_key)
            },
            #[warn(cannot_fit)]
            orders: hedge(after = 80ms, copies = 2, budget = C) {
                timeout(1.5s) {
                    attempt
                }
            },
            rest: fallback {
                a: retry(attempts = ..=4, backoff = linear(1us, max = 2min)) {
                    attempt(takes = 5ns)
                },
                b: race {
                    c: retry(attempts = unlimited, backoff = schedule(1ms, 2ms, ..), jitter = spread(0.25)) {
                        attempt(1h)
                    },
                    d: allowance(K = 3) {
                        retry(attempts = 2, backoff = none) {
                            attempt(1ms, takes = 2ms..)
                        }
                    },
                },
                e: parallel {
                    f: retry(attempts = 2, backoff = fixed(3ms), jitter = equal) {
                        attempt(1ms)
                    },
                    g: retry(attempts = 2, backoff = decorrelated(3ms), jitter = none) {
                        attempt(1ms)
                    },
                },
            },
        }
    }
}
";

#[test]
fn what_is_printed_reads_back_as_the_same_text() {
    let file = read(ALL).unwrap_or_else(|errors| panic!("{errors:?}"));
    let printed = file.policies[0].policy.with(print);
    assert_eq!(printed, ALL);
}

#[test]
fn a_copy_of_the_planners_policy_is_the_policy() {
    let file = read(ALL).expect("reads");
    let policy = &file.policies[0].policy;
    assert_eq!(&policy.with(retry_syntax::lower::OwnedPolicy::of), policy);
}

#[test]
fn levels_hold_for_what_is_inside() {
    let file = read(ALL).expect("reads");
    file.policies[0].policy.with(|policy| {
        let level = |index: usize, lint| policy.nodes[index].levels.get(lint);
        assert_eq!(level(2, Lint::CannotFit), Level::Allow);
        assert_eq!(level(4, Lint::CannotFit), Level::Warn);
        assert_eq!(level(4, Lint::NoJitter), Level::Allow);
        assert_eq!(level(4, Lint::Impossible), Level::Deny);
    });
}

#[test]
fn a_tree_alone_is_called_policy() {
    let file = read("deadline(2s) { attempt(1s) }").expect("reads");
    file.policies[0].policy.with(|policy| {
        assert_eq!(policy.name, "policy");
        assert_eq!(
            policy.nodes[0].kind,
            Kind::Deadline(Range::exact(Duration::from_secs(2)))
        );
    });
}

#[test]
fn a_tree_behind_the_policies_may_call_them() {
    let file = read(
        "struct A { attempt(5ms) }\nstruct B { call(A) };\ntimeout(1s) { series { a: call(A), b: call(B) } }",
    )
    .expect("two items and a tree");
    let names: Vec<&str> = file.policies.iter().map(|one| one.policy.name.as_str()).collect();
    assert_eq!(names, ["A", "B", "policy"]);
    assert_eq!(file.policies[2].line, 3);
    assert_eq!(
        refused("struct A { attempt(5ms) } timeut(1s) { attempt }"),
        ["1:27: expected a policy, found `timeut`\n  help: write `struct Name { … }`"]
    );
}

#[test]
fn callees_may_stand_behind_their_callers() {
    let file = read("struct A { call(B) } struct B { attempt(1s) }").expect("reads");
    let names: Vec<&str> = file
        .policies
        .iter()
        .map(|policy| policy.policy.name.as_str())
        .collect();
    assert_eq!(names, ["A", "B"]);
}

fn refused(text: &str) -> Vec<String> {
    read(text)
        .expect_err("is refused")
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn faults_have_a_line_and_a_column() {
    assert_eq!(
        refused("struct A {\n    deadline(5m) {\n        attempt(LIMIT)\n    }\n}"),
        [
            "2:14: `5m` could be minutes or milliseconds\n  help: write `5min` or `5ms`",
            "3:17: a text has no constants, found `LIMIT`\n  help: write the value itself"
        ]
    );
}

#[test]
fn what_cannot_be_lexed_has_a_place() {
    assert_eq!(
        refused("struct A { deadline(1s { attempt }")[0].split(':').next(),
        Some("1")
    );
}

#[test]
fn an_empty_text_is_a_fault() {
    assert_eq!(
        refused("// nothing"),
        ["1:1: this text holds no policy\n  help: write `struct Name { … }`"]
    );
}

#[test]
fn a_policy_that_calls_itself_has_no_plan() {
    assert_eq!(
        refused("struct A { call(B) } struct B { call(A) }"),
        ["1:38: `A` calls itself, so its plan has no end"]
    );
}

#[test]
fn an_unknown_callee_is_named() {
    assert_eq!(
        refused("struct Charge { call(Chrage) }"),
        ["1:22: this text has no policy `Chrage`\n  help: did you mean `Charge`?"]
    );
}

#[test]
fn two_policies_of_one_name_are_refused() {
    assert_eq!(
        refused("struct A { attempt(1s) } struct A { attempt(1s) }"),
        ["1:33: two policies are called `A`\n  help: give each its own name"]
    );
}
