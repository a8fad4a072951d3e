//! Policies as documents: one shape for JSON, TOML and YAML, everything that is wrong told at once and with its place.

use retry_plan::dynamic::{Document, DynPolicy, Fault, Loader, Refused};
use retry_plan::planner::Lint;
use retry_plan::{Budget, Interrupted, retry_policy};
use serde::Deserialize;

static PAYMENTS: Budget = Budget::unlimited();

#[derive(Debug, PartialEq)]
struct Oops;

impl Oops {
    fn is_transient(&self) -> bool {
        *self == Self
    }
}

impl From<Interrupted> for Oops {
    fn from(_: Interrupted) -> Self {
        Self
    }
}

type One = Loader<u32, Oops>;

fn loader() -> One {
    Loader::new()
        .budget("PAYMENTS", &PAYMENTS)
        .when("Oops::is_transient", Oops::is_transient)
        .when("_", Oops::is_transient)
}

retry_policy! {
    struct Charge {
        type Error = Oops;
        #[allow(no_cap, reason = "few attempts")]
        deadline(2s) {
            retry(attempts = 3, backoff = exponential(100ms, factor = 1.5, max = 1s), jitter = full,
                  when = Oops::is_transient, budget = PAYMENTS) {
                attempt(400ms, takes = 10ms..=300ms)
            }
        }
    }
}

const YAML: &str = "
version: 1
name: Charge
policy:
  deadline:
    time: 2s
    allow: no_cap
    retry:
      attempts: 3
      backoff: exponential(100ms, factor = 1.5, max = 1s)
      jitter: full
      when: Oops::is_transient
      budget: PAYMENTS
      attempt:
        time: 400ms
        takes: 10ms..=300ms
";

const JSON: &str = r#"{ "version": 1, "name": "Charge", "policy": { "deadline": { "time": "2s", "allow": ["no_cap"], "retry": {
    "attempts": 3, "backoff": "exponential(100ms, factor = 1.5, max = 1s)", "jitter": "full", "when": "Oops::is_transient",
    "budget": "PAYMENTS", "attempt": { "takes": "10ms..=300ms", "time": "400ms" } } } } }"#;

const TOML: &str = r#"
version = 1
name = "Charge"

[policy.deadline]
time = "2s"
allow = ["no_cap"]

[policy.deadline.retry]
attempts = 3
backoff = "exponential(100ms, factor = 1.5, max = 1s)"
jitter = "full"
when = "Oops::is_transient"
budget = "PAYMENTS"
attempt = { time = "400ms", takes = "10ms..=300ms" }
"#;

fn yaml(text: &str) -> Document {
    serde_saphyr::from_str(text).unwrap()
}

fn told(loaded: Result<impl Sized, Refused>) -> Vec<(String, Option<Lint>)> {
    let refused = loaded.err().expect("it isn't refused");
    let told = |fault: &Fault| (fault.place().to_string(), fault.lint());
    refused.faults().iter().map(told).collect()
}

fn places(text: &str) -> Vec<String> {
    told(loader().document(&yaml(text)))
        .into_iter()
        .map(|(place, _)| place)
        .collect()
}

#[test]
fn json_toml_and_yaml_are_the_policy_that_the_macro_makes_of_the_same_words() {
    let documents: [Document; 3] = [
        yaml(YAML),
        serde_json::from_str(JSON).unwrap(),
        toml::from_str(TOML).unwrap(),
    ];
    for document in documents {
        let policy = loader()
            .document(&document)
            .unwrap_or_else(|refused| panic!("{refused}"));
        policy.with_tree(|tree| assert_eq!(*tree, Charge::POLICY));
    }
}

#[test]
fn what_is_expected_and_not_found_is_a_warning_at_its_field() {
    let policy = loader()
        .document(&yaml(&YAML.replace("allow: no_cap", "expect: no_cap")))
        .unwrap();
    let [warning] = policy.warnings() else {
        panic!("{:?}", policy.warnings());
    };
    assert_eq!(warning.place().to_string(), "policy.deadline.expect");
}

#[test]
fn a_document_can_be_part_of_a_larger_one() {
    #[derive(Deserialize)]
    struct Config {
        name: String,
        charge: Document,
    }
    let config: Config =
        toml::from_str("name = \"shop\"\n[charge]\nversion = 1\npolicy = { attempt = \"1s\" }").unwrap();
    assert_eq!(config.name, "shop");
    let policy: DynPolicy<u32, Oops> = loader().document(&config.charge).unwrap();
    assert_eq!(policy.name(), "policy");
}

#[tokio::test(start_paused = true)]
async fn a_document_runs() {
    let policy = loader().document(&yaml(YAML)).unwrap();
    let value = policy
        .run(async |attempt| {
            if attempt.is_last() {
                Ok(attempt.number())
            } else {
                Err(Oops)
            }
        })
        .await;
    assert_eq!(value.unwrap(), 3);
}

#[test]
fn every_node_can_be_written_and_read_back() {
    let text = "struct Page {
    deadline(2s) {
        #[allow(cannot_fit, no_jitter)]
        series {
            user: retry(attempts = ..=3, backoff = schedule(1ms, 2ms, ..), jitter = spread(0.25), timeouts = stop) {
                attempt(500ms, takes = 1ms..=400ms, idempotent = false, idempotency_key)
            },
            orders: hedge(after = 80ms, copies = 2, budget = PAYMENTS) {
                #[warn(impossible)]
                timeout(1.5s) {
                    attempt
                }
            },
            rest: fallback {
                a: retry(attempts = unlimited, backoff = linear(1us, max = 2min), jitter = none) {
                    attempt(takes = 5ns)
                },
                b: race {
                    d: allowance(PAYMENTS = 3) {
                        retry(attempts = 2, backoff = none) {
                            attempt(1ms, takes = 2ms..)
                        }
                    },
                    e: parallel {
                        f: attempt(1ms),
                        g: attempt(1ms),
                    },
                },
            },
        }
    }
}
";
    let tree = retry_syntax::text::parse_str(text).unwrap();
    let document = tree.policies[0].policy.with(Document::of);
    let json = serde_json::to_string(&document).unwrap();
    let again: Document = serde_json::from_str(&json).unwrap();
    assert_eq!(again, document);
    let any = Loader::<u32, Oops>::new()
        .budget("PAYMENTS", &PAYMENTS)
        .any_leaves();
    let any = Lint::ALL.into_iter().fold(any, |any, lint| {
        any.level(lint, retry_plan::planner::Level::Allow)
    });
    for document in [
        again,
        serde_saphyr::from_str(&serde_saphyr::to_string(&document).unwrap()).unwrap(),
        toml::from_str(&toml::to_string(&document).unwrap()).unwrap(),
    ] {
        let loaded = any
            .document(&document)
            .unwrap_or_else(|refused| panic!("{refused}\n{json}"));
        let kinds = |tree: &retry_plan::Policy<'_>| {
            format!(
                "{:?}",
                tree.nodes
                    .iter()
                    .map(|node| (node.name, node.kind))
                    .collect::<Vec<_>>()
            )
        };
        assert_eq!(loaded.with_tree(kinds), tree.policies[0].policy.with(kinds));
    }
}

#[test]
fn policies_that_are_called_stand_beside_the_one_that_calls() {
    let text = "
version: 1
policy: { timeout: { time: 1s, call: Inner } }
policies:
  Inner: { retry: { attempts: 2, backoff: fixed(10ms), jitter: none, attempt: 100ms } }
";
    let policy = loader()
        .document(&yaml(text))
        .unwrap_or_else(|refused| panic!("{refused}"));
    assert_eq!(policy.with_tree(|tree| tree.nodes.len()), 2);
    assert_eq!(
        places(&text.replace("call: Inner", "call: Iner")),
        ["policy.timeout.call"]
    );
}

#[test]
fn everything_that_is_wrong_is_told_with_its_field() {
    let text = "
version: 1
policy:
  deadline:
    time: 5m
    retry:
      atempts: 3
      backoff: exponental(100ms)
      jitter: 7
      attempt: { time: 0s, idempotent: perhaps }
";
    let found = places(text);
    for place in [
        "policy.deadline.time",
        "policy.deadline.retry.attempt.idempotent",
        "policy.deadline.retry.atempts",
        "policy.deadline.retry.backoff",
        "policy.deadline.retry.jitter",
        "policy.deadline.retry.attempt.time",
    ] {
        assert!(found.iter().any(|own| own == place), "{place} in {found:?}");
    }
}

#[test]
fn findings_are_told_with_the_path_of_their_node() {
    let text = "
version: 1
policy:
  timeout:
    time: 1s
    series:
      - { name: a, retry: { attempts: 6, backoff: none, jitter: none, attempt: 100ms } }
      - { name: b, timeout: { time: 2s, attempt: 200ms } }
";
    let found = told(loader().any_leaves().document(&yaml(text)));
    assert_eq!(
        found,
        [
            ("policy.timeout.series[0].retry".to_owned(), Some(Lint::HotLoop)),
            (
                "policy.timeout.series[1].timeout".to_owned(),
                Some(Lint::NeverFires)
            ),
        ]
    );
}

#[test]
fn versions_and_fields_that_are_not_known_are_refused() {
    assert_eq!(places("policy: { attempt: 1s }"), ["version"]);
    assert_eq!(places("version: 2\npolicy: { attempt: 1s }"), ["version"]);
    assert_eq!(places("version: 1"), ["policy"]);
    assert_eq!(
        places("version: 1\npolcy: {}\npolicy: { attempt: 1s }"),
        ["polcy"]
    );
    assert_eq!(
        places("version: 1\npolicy: { atempt: 1s }"),
        ["policy.atempt", "policy"]
    );
    assert_eq!(places("version: 1\npolicy: { attempt: 1s, call: X }"), ["policy"]);
    assert_eq!(
        places("version: 1\npolicy: { attempt: [1s] }"),
        ["policy.attempt"]
    );
    assert_eq!(
        places("version: 1\npolicy: { series: [{ attempt: 1s }] }"),
        ["policy.series[0]"]
    );
    assert_eq!(places("[]"), ["document"]);
    assert!(serde_json::from_str::<Document>("{ \"version\": 1, ").is_err());
    let twice: Document =
        serde_json::from_str(r#"{ "version": 1, "version": 1, "policy": { "attempt": "1s" } }"#).unwrap();
    assert_eq!(told(loader().document(&twice))[0].0, "version");
}

#[test]
fn no_value_reaches_beyond_its_own_field() {
    for value in [
        "1s) } } struct Other { attempt(1s",
        "1s, idempotent = false",
        "1s // ",
        "1s /* ",
        "\"1s\"",
        "1s }",
        "{ LIMIT }",
        "1s\\n",
        "",
    ] {
        let text = format!(r#"{{ "version": 1, "policy": {{ "attempt": {{ "time": {value:?} }} }} }}"#);
        let document: Document = serde_json::from_str(&text).unwrap();
        assert_eq!(
            told(loader().document(&document)),
            [("policy.attempt.time".to_owned(), None)],
            "{value}"
        );
    }
}
