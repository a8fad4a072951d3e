//! Policies that are loaded at run time: what they refuse, where, and that what they run is what a macro would run.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use retry_plan::dynamic::{DynPolicy, Fault, Loader, Output, Place, Refused, Several};
use retry_plan::planner::{self, Count, Kind, Level, Levels, Lint, Node, Policy, Range};
use retry_plan::{Budget, Failure, Interrupted, Stop};
use tokio::time::{Instant, sleep};

#[derive(Debug, Clone, PartialEq)]
enum Oops {
    Boom,
    Fatal,
    Busy(u64),
    Interrupted(Interrupted),
}

impl Oops {
    fn is_transient(&self) -> bool {
        *self != Self::Fatal
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Busy(seconds) => Some(*seconds),
            _ => None,
        }
    }
}

impl From<Interrupted> for Oops {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

type One = Loader<u32, Oops>;

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn load(text: &str) -> DynPolicy<u32, Oops> {
    One::new()
        .text(text)
        .unwrap_or_else(|refused| panic!("{refused}"))
}

fn refused<T>(loaded: Result<T, Refused>) -> Vec<(String, Option<Lint>)> {
    let Err(refused) = loaded else {
        panic!("it isn't refused");
    };
    let told = |fault: &Fault| (fault.place().to_string(), fault.lint());
    refused.faults().iter().map(told).collect()
}

#[tokio::test(start_paused = true)]
async fn a_policy_from_text_runs_as_it_says() {
    let policy = load("deadline(2s) { retry(attempts = 3, backoff = fixed(100ms)) { attempt(500ms) } }");
    let calls = AtomicU32::new(0);
    let began = Instant::now();
    let value = policy
        .run(async |attempt| {
            assert_eq!(attempt.of(), Some(3));
            match calls.fetch_add(1, SeqCst) {
                0 => Err(Oops::Boom),
                1 => std::future::pending().await,
                n => Ok(n),
            }
        })
        .await;
    assert_eq!(value, Ok(2));
    assert_eq!(began.elapsed(), ms(700));
}

#[tokio::test(start_paused = true)]
async fn a_failure_tells_the_stop_the_last_error_the_attempts_and_the_time() {
    let policy = load("retry(attempts = 2, backoff = fixed(100ms)) { attempt(500ms) }");
    let failure = policy.run_detailed(async |_| Err(Oops::Boom)).await.unwrap_err();
    let expected = Failure {
        stop: Stop::Exhausted,
        last: Some(Oops::Boom),
        attempts: 2,
        elapsed: ms(100),
    };
    assert_eq!(failure, expected);
    let hung = policy
        .run(async |_| std::future::pending().await)
        .await
        .unwrap_err();
    assert!(
        matches!(
            hung,
            Oops::Interrupted(Interrupted {
                stop: Stop::Exhausted,
                ..
            })
        ),
        "{hung:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_repeat_that_a_late_timer_leaves_too_little_time_is_refused_and_what_it_paid_comes_back() {
    static SPENT: Budget = Budget::unlimited();
    // tokio's timers fire on whole milliseconds: a wait of 1.5 ms that begins on one ends half a millisecond late.
    let late = "#[allow(no_attempt_timeout)]
        retry(attempts = 3, backoff = fixed(1500us), jitter = none, budget = SPENT) {
            series { first: attempt(5ms), second: deadline(5ms) { attempt } }
        }";
    let tight = "timeout(6ms) {
            retry(attempts = ..=2, backoff = fixed(1500us), jitter = none) { attempt(takes = 1500us..=3ms) }
        }";
    for text in [late, tight] {
        let policy = One::new()
            .any_leaves()
            .budget("SPENT", &SPENT)
            .text(text)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let start = Instant::now();
        let told = policy
            .run_detailed(async |_, _| {
                sleep(ms(3)).await;
                Err(Oops::Boom)
            })
            .await
            .unwrap_err();
        assert_eq!(
            (told.stop, told.attempts, start.elapsed()),
            (Stop::WontFit, 1, ms(5)),
            "{text}"
        );
        assert_eq!(told.last, Some(Oops::Boom));
    }
    let stats = SPENT.stats();
    assert_eq!((stats.retries, stats.given_back), (0, 1), "{stats:?}");
}

#[tokio::test(start_paused = true)]
async fn a_loaded_policy_can_be_spawned_and_shared() {
    let policy = load("retry(attempts = 2, backoff = fixed(1ms)) { attempt(5ms) }");
    let own = policy.clone();
    let task = tokio::spawn(async move {
        let name = String::from("mine");
        own.run(async |_| Ok(u32::try_from(name.len()).unwrap())).await
    });
    assert_eq!(task.await.unwrap(), Ok(4));
    assert_eq!(policy.run(async |_| Ok(1)).await, Ok(1));
}

#[test]
fn every_finding_is_listed_with_its_line_and_column() {
    let text = "
        timeout(1s) {
            series {
                a: retry(attempts = 6, backoff = none) { attempt(100ms) },
                b: timeout(2s) { attempt(200ms) },
            }
        }";
    let found = refused(Loader::<u32, Oops>::new().any_leaves().text(text));
    assert_eq!(
        found,
        [
            ("4:20".to_owned(), Some(Lint::HotLoop)),
            ("5:20".to_owned(), Some(Lint::NeverFires)),
        ]
    );
}

#[test]
fn what_cannot_be_read_is_listed_whole() {
    let found = refused(One::new().text("retry(attempts = 0, retires = 3) {\n  atempt(5m)\n}"));
    let places: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
    assert!(places.contains(&"1:18"), "{found:?}");
    assert!(places.contains(&"1:21"), "{found:?}");
    assert!(places.contains(&"2:3"), "{found:?}");
}

#[test]
fn warnings_are_kept_and_refuse_nothing() {
    let policy = load("retry(attempts = 3, backoff = fixed(100ms)) { attempt(500ms) }");
    let [warning] = policy.warnings() else {
        panic!("{:?}", policy.warnings());
    };
    assert_eq!(
        (warning.lint(), warning.level()),
        (Some(Lint::NoJitter), Level::Warn)
    );
    assert_eq!(*warning.place(), Place::Text { line: 1, column: 1 });
}

#[test]
fn levels_come_from_the_program_and_the_file_has_the_last_word() {
    let text =
        "#[expect(cannot_fit)] timeout(1s) { retry(attempts = 2, backoff = fixed(300ms)) { attempt(1s) } }";
    let found: Vec<_> = load(text).warnings().iter().map(Fault::lint).collect();
    assert_eq!(found, [Some(Lint::NoJitter)]);
    let strict = One::new()
        .level(Lint::NoJitter, Level::Deny)
        .level(Lint::CannotFit, Level::Warn);
    assert_eq!(
        refused(strict.text(text)),
        [("1:37".to_owned(), Some(Lint::NoJitter))]
    );
    let kept = "#[deny(cannot_fit)] timeout(1s) { retry(attempts = 2, backoff = none) { attempt(1s) } }";
    assert!(strict.text(kept).is_err());
}

#[test]
fn an_expectation_that_is_not_met_is_a_warning_as_in_a_macro() {
    let policy = load("#[expect(cannot_fit, reason = \"x\")] timeout(1s) { attempt }");
    let [warning] = policy.warnings() else {
        panic!("{:?}", policy.warnings());
    };
    assert_eq!(
        warning.to_string(),
        "1:10: warning: `cannot_fit` is expected here (\"x\") and isn't found"
    );
}

#[tokio::test(start_paused = true)]
async fn hooks_go_by_the_names_that_the_file_uses() {
    let loader = One::new()
        .when("Oops :: is_transient", Oops::is_transient)
        .retry_after("hint", Oops::retry_after)
        .until("is_even", |value| value % 2 == 0);
    let text = "retry(attempts = 4, backoff = fixed(100ms), jitter = none, when = Oops::is_transient, retry_after = hint,
        retry_after_max = 10s, until = is_even) { attempt(500ms) }";
    let policy = loader.text(text).unwrap();
    let calls = AtomicU32::new(0);
    let began = Instant::now();
    let value = policy
        .run(async |_| match calls.fetch_add(1, SeqCst) {
            0 => Err(Oops::Busy(3)),
            1 => Ok(3),
            _ => Ok(4),
        })
        .await;
    assert_eq!((value, began.elapsed()), (Ok(4), ms(3100)));
    assert_eq!(
        policy
            .run_detailed(async |_| Err(Oops::Fatal))
            .await
            .unwrap_err()
            .stop,
        Stop::NotRetryable
    );

    let found = refused(One::new().when("is_transeint", Oops::is_transient).text(text));
    assert_eq!(
        found,
        [
            ("1:67".to_owned(), None),
            ("1:101".to_owned(), None),
            ("2:40".to_owned(), None)
        ]
    );
}

static PAYMENTS: Budget = Budget::unlimited();

#[tokio::test(start_paused = true)]
async fn budgets_go_by_their_names_and_are_charged() {
    let text = "allowance(pay::PAYMENTS = 1) { retry(attempts = ..=4, backoff = fixed(1ms), jitter = none, budget = pay::PAYMENTS) {
        attempt(5ms) } }";
    let policy = One::new()
        .level(Lint::RetryBudgetExceeded, Level::Allow)
        .budget("pay::PAYMENTS", &PAYMENTS);
    let failure = policy
        .text(text)
        .unwrap()
        .run_detailed(async |_| Err(Oops::Boom))
        .await
        .unwrap_err();
    assert_eq!((failure.stop, failure.attempts), (Stop::BudgetRefused, 2));
    assert_eq!(PAYMENTS.stats().refused, 1);

    let found = refused(
        One::new()
            .budget("pay::PAYMENT", &PAYMENTS)
            .level(Lint::RetryBudgetExceeded, Level::Allow)
            .text(text),
    );
    assert_eq!(found, [("1:1".to_owned(), None), ("1:32".to_owned(), None)]);
}

#[tokio::test(start_paused = true)]
async fn several_leaves_are_run_by_their_names_and_their_values_keep_the_shape_of_the_tree() {
    let text = "struct LoadPage { deadline(1s) { parallel {
        profile: retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(200ms) },
        rest: series { orders: hedge(after = 80ms, copies = 2) { attempt(300ms) }, ads: fallback { a: attempt(9ms), b: attempt(9ms) } },
    } } }";
    let loader = Loader::<String, Oops>::new().leaves(["profile", "orders", "a", "b"]);
    let page = loader.text(text).unwrap();
    let began = Instant::now();
    let value = page
        .run(
            async |leaf, attempt| match (leaf, attempt.number(), attempt.copy()) {
                ("profile", 1, _) | ("a", ..) => Err(Oops::Boom),
                ("orders", _, 1) => std::future::pending().await,
                ("orders", ..) => {
                    sleep(ms(20)).await;
                    Ok(format!("orders of {attempt}"))
                }
                _ => Ok(leaf.to_owned()),
            },
        )
        .await
        .unwrap();
    assert_eq!(began.elapsed(), ms(100));
    assert_eq!(
        value.get("profile").cloned(),
        Some(Output::One("profile".to_owned()))
    );
    let rest = value
        .get("rest")
        .and_then(|rest| rest.get("orders"))
        .cloned()
        .and_then(Output::one);
    assert_eq!(rest.as_deref(), Some("orders of attempt 1 of 1, copy 2"));
    assert_eq!(
        value.into_values(),
        ["profile", "orders of attempt 1 of 1, copy 2", "b"]
    );

    let short = Loader::<String, Oops>::new().leaves(["profile", "orders", "a"]);
    assert_eq!(refused(short.text(text)), [("3:120".to_owned(), None)]);
    assert_eq!(refused(Loader::<String, Oops>::new().text(text)).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_policy_that_is_called_is_a_leaf_with_its_own_plan() {
    let text = "
        struct Inner { retry(attempts = 2, backoff = fixed(10ms), jitter = none) { attempt(100ms) } }
        struct Outer { timeout(1s) { retry(attempts = 2, backoff = fixed(10ms), jitter = none) { call(Inner) } } }";
    let (inner, outer) = (One::new().named("Inner"), One::new().named("Outer"));
    let (inner, outer) = (inner.text(text).unwrap(), outer.text(text).unwrap());
    assert_eq!(
        outer.with_tree(|tree| retry_plan::Plan::of(tree).worst()),
        Some(ms(430))
    );
    let calls = AtomicU32::new(0);
    let began = Instant::now();
    let failed = outer
        .run(async |_| {
            let hangs = async |_| {
                calls.fetch_add(1, SeqCst);
                std::future::pending().await
            };
            inner.run(hangs).await
        })
        .await;
    assert!(failed.is_err());
    assert_eq!((calls.into_inner(), began.elapsed()), (4, ms(430)));
    assert_eq!(refused(One::new().text(text)).len(), 1);
    assert_eq!(refused(One::new().named("Other").text(text)).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_called_policys_own_deadline_is_a_timeout_to_a_loaded_one() {
    let text = "
        struct Inner { deadline(100ms) { attempt } }
        struct Outer {
            timeout(1s) { retry(attempts = ..=3, backoff = fixed(10ms), jitter = none, timeouts = stop) { call(Inner) } }
        }";
    let (inner, outer) = (One::new().named("Inner"), One::new().named("Outer"));
    let (inner, outer) = (inner.text(text).unwrap(), outer.text(text).unwrap());
    let hangs = async |_| std::future::pending().await;
    let failure = outer
        .run_detailed(async |_| inner.run(hangs).await)
        .await
        .unwrap_err();
    assert_eq!(
        (failure.stop, failure.attempts, failure.elapsed),
        (Stop::NotRetryable, 1, ms(100))
    );
}

retry_plan::retry_policy! {
    struct Charge {
        deadline(2s) { retry(attempts = 3, backoff = fixed(100ms), jitter = none) { attempt(500ms) } }
    }
}

#[tokio::test(start_paused = true)]
async fn the_tree_of_a_named_policy_can_be_loaded() {
    let policy = One::new().tree(&Charge::POLICY).unwrap();
    assert_eq!(policy.name(), "Charge");
    assert!(policy.with_tree(|tree| *tree == Charge::POLICY));
    let (loaded, compiled) = (
        policy.run_detailed(async |_| Err(Oops::Boom)).await,
        Charge::run_detailed(async |_| Err::<u32, _>(Oops::Boom)).await,
    );
    assert_eq!(loaded, compiled);
}

fn node(size: usize, kind: Kind<'static>) -> Node<'static> {
    Node {
        name: "",
        size,
        levels: Levels::DEFAULT,
        kind,
    }
}

fn named(name: &'static str) -> Node<'static> {
    Node {
        name,
        ..node(1, ATTEMPT)
    }
}

const ATTEMPT: Kind<'static> = Kind::Attempt(planner::Attempt {
    bound: Some(Range::exact(Duration::from_secs(1))),
    takes: None,
    idempotent: true,
    key: false,
});

#[test]
fn a_tree_that_the_grammar_does_not_have_is_refused_at_its_node() {
    let zero = Kind::Timeout(Range::exact(Duration::ZERO));
    let hedge = |copies| {
        Kind::Hedge(planner::Hedge {
            after: Range::exact(ms(1)),
            copies: Count::exact(copies),
            budget: None,
        })
    };
    let cases: [(&[Node<'_>], &str); 8] = [
        (&[], "node 0"),
        (&[node(2, ATTEMPT)], "node 0"),
        (&[node(3, zero), node(3, ATTEMPT), node(1, ATTEMPT)], "node 1"),
        (&[node(1, Kind::Timeout(Range::exact(ms(1))))], "node 0"),
        (&[node(2, zero), node(1, ATTEMPT)], "node 0"),
        (
            &[
                node(3, Kind::Timeout(Range::exact(ms(9)))),
                node(2, hedge(1)),
                node(1, ATTEMPT),
            ],
            "node 1",
        ),
        (&[node(3, Kind::Series), named("a"), named("a")], "node 2"),
        (&[node(2, hedge(17)), node(1, ATTEMPT)], "node 0"),
    ];
    for (nodes, place) in cases {
        let found = refused(One::new().tree(&Policy { name: "Tree", nodes }));
        assert_eq!(found[0].0, place, "{found:?}");
    }
    let fits = [node(2, hedge(16)), node(1, ATTEMPT)];
    assert!(
        One::new()
            .tree(&Policy {
                name: "any name",
                nodes: &fits
            })
            .is_ok()
    );
}

#[tokio::test(start_paused = true)]
async fn a_key_is_the_same_for_all_attempts_and_can_be_given() {
    let policy = load(
        "retry(attempts = 2, backoff = none, jitter = none) { attempt(1s, idempotent = false, idempotency_key) }",
    );
    let keys = std::sync::Mutex::new(Vec::new());
    let note = async |attempt: retry_plan::Attempt| {
        keys.lock()
            .unwrap()
            .push(attempt.idempotency_key().unwrap().to_string());
        Err(Oops::Boom)
    };
    let _failed = policy.run(note).await;
    let _failed = policy.keyed("order-17").run(note).await;
    let keys = keys.into_inner().unwrap();
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[1], keys[2]);
    assert_eq!(keys[2..], ["order-17", "order-17"]);
    assert_eq!(
        refused(One::new().text("attempt(1s, idempotency_key = order.id())"))[0].0,
        "1:31"
    );
}

#[test]
fn a_long_or_deep_text_is_refused_and_not_overrun() {
    let deep = format!("{} attempt {}", "timeout(1s) { ".repeat(5_000), "}".repeat(5_000));
    assert!(One::new().text(&deep).is_err());
    let long = format!("// {}\nattempt(1s)", "x".repeat(300 << 10));
    assert!(
        One::new()
            .text(&long)
            .unwrap_err()
            .to_string()
            .contains("256 KiB")
    );
}

#[test]
fn loading_again_keeps_nothing_more() {
    fn is_clone<T: Clone + Send + Sync>() {}
    is_clone::<DynPolicy<u32, Oops>>();
    is_clone::<DynPolicy<u32, Oops, Several>>();
    is_clone::<One>();
    let names = |policy: &DynPolicy<u32, Oops>| policy.name().as_ptr();
    let text = "struct TheSameName { attempt(1s) }";
    assert_eq!(names(&load(text)), names(&load(text)));
}
