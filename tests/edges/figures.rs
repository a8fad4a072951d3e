//! What a Prometheus server would read of runs, on virtual time.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use retry_plan::metrics::{Metrics, record_budget};
use retry_plan::{Budget, Interrupted, Scope, retry_policy};

static SCARCE: Budget = Budget::ratio(0.0, 1).named("scarce");
static PAYMENTS: Budget = Budget::ratio(0.0, 4).named("payments");

#[derive(Clone, Copy, Debug, PartialEq)]
enum Oops {
    Busy,
    ComeBack(Duration),
    Declined,
    Interrupted(Interrupted),
}

impl From<Interrupted> for Oops {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

impl Oops {
    fn may_pass(&self) -> bool {
        !matches!(self, Self::Declined)
    }

    fn hint(&self) -> Option<Duration> {
        match self {
            Self::ComeBack(after) => Some(*after),
            _ => None,
        }
    }
}

retry_policy! {
    struct Charge {
        type Error = Oops;
        deadline(10s) {
            retry(attempts = 3, backoff = fixed(250ms), jitter = none, when = Oops::may_pass,
                  retry_after = Oops::hint, retry_after_max = 1s) {
                attempt(500ms)
            }
        }
    }

    struct Poor {
        type Error = Oops;
        retry(attempts = 3, backoff = fixed(250ms), jitter = none, budget = SCARCE) { attempt(500ms) }
    }

    struct Ask {
        type Error = Oops;
        hedge(after = 100ms, copies = 2) { attempt(2s) }
    }

    struct Pay {
        type Error = Oops;
        retry(attempts = 3, backoff = fixed(250ms), jitter = none, budget = PAYMENTS) { attempt(500ms) }
    }

    struct PayTwice {
        type Error = Oops;
        hedge(after = 100ms, copies = 2, budget = PAYMENTS) { attempt(2s) }
    }

    struct Tight {
        type Error = Oops;
        deadline(1s) {
            retry(attempts = ..=5, backoff = fixed(400ms), jitter = none) { attempt(300ms) }
        }
    }

    struct Slow {
        type Error = Oops;
        attempt(300ms)
    }

    struct Late {
        type Error = Oops;
        deadline(300ms) { attempt }
    }

    struct Page {
        type Error = Oops;
        fallback { cache: attempt(100ms), origin: attempt(300ms) }
    }
}

/// The page of Prometheus, by line.
struct Figures(String);

impl Figures {
    /// The page after these runs, in a scope that is observed.
    fn of(runs: impl AsyncFnOnce()) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        let page = recorder.handle();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        metrics::with_local_recorder(&recorder, || {
            let inside = Scope::new().observed(Arc::new(Metrics::new()));
            runtime.block_on(inside.run(runs()));
        });
        Self(page.render())
    }

    /// Name, labels and value of each figure.
    fn samples(&self) -> impl Iterator<Item = (&str, BTreeMap<&str, &str>, f64)> {
        let lines = self
            .0
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| {
            let (sample, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = sample.split_once('{').unwrap_or((sample, "}"));
            let labels = labels
                .trim_end_matches('}')
                .split(',')
                .filter(|label| !label.is_empty());
            let labels = labels.map(|label| {
                let (key, value) = label.split_once('=').unwrap();
                (key, value.trim_matches('"'))
            });
            (name, labels.collect(), value.parse().unwrap())
        })
    }

    /// The sum of all figures of this name that have these labels.
    fn get(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.samples()
            .filter(|(is, has, _)| {
                *is == name && labels.iter().all(|(key, value)| has.get(key) == Some(value))
            })
            .map(|(_, _, value)| value)
            .sum()
    }

    #[track_caller]
    fn assert(&self, name: &str, labels: &[(&str, &str)], value: f64) {
        let is = self.get(name, labels);
        assert!(
            (is - value).abs() < 1e-9,
            "{name} {labels:?} is {is}, not {value}, in\n{}",
            self.0
        );
    }
}

#[test]
fn attempts_retries_waits_and_elapsed_of_a_run_are_counted() {
    let figures = Figures::of(async || {
        let paid = Charge::run(async |cx| match cx.number() {
            1 => Err(Oops::Busy),
            2 => Err(Oops::ComeBack(Duration::from_secs(1))),
            _ => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                Ok(())
            }
        });
        paid.await.unwrap();
    });
    let charge = ("retry_policy", "Charge");
    let success = [charge, ("retry_outcome", "success")];
    figures.assert("retry_runs", &success, 1.0);
    figures.assert("retry_run_attempts_sum", &success, 3.0);
    figures.assert("retry_run_attempts_count", &success, 1.0);
    figures.assert("retry_run_duration_sum", &success, 0.25 + 1.0 + 0.05);
    figures.assert("retry_retries", &[charge, ("retry_hinted", "false")], 1.0);
    figures.assert("retry_retries", &[charge, ("retry_hinted", "true")], 1.0);
    figures.assert("retry_wait_duration_sum", &[charge], 0.25 + 1.0);
    let failed = ("retry_end", "failure");
    figures.assert("retry_attempts", &[charge, ("retry_leaf", "Charge"), failed], 2.0);
    figures.assert("retry_attempts", &[charge, ("retry_end", "success")], 1.0);
    figures.assert("retry_refusals", &[], 0.0);
    for (name, labels, _) in figures.samples().filter(|(name, ..)| *name == "retry_attempts") {
        let fails = labels["retry_end"] != "success";
        assert_eq!(labels.contains_key("error_type"), fails, "{name}: {labels:?}");
        assert!(
            labels.get("error_type").is_none_or(|kind| kind.ends_with("Oops")),
            "{labels:?}"
        );
    }
}

#[test]
fn hedges_and_their_wins_are_counted() {
    let figures = Figures::of(async || {
        // The first copy is slow, and the second wins.
        let slow = Ask::run(async |cx| {
            tokio::time::sleep(Duration::from_millis(if cx.copy() == 1 { 1_000 } else { 20 })).await;
            Ok(())
        });
        slow.await.unwrap();
        // The first copy fails, which brings the second.
        let failing = Ask::run(async |cx| if cx.copy() == 1 { Err(Oops::Busy) } else { Ok(()) });
        failing.await.unwrap();
        // No second copy is needed.
        Ask::run(async |_| Ok(())).await.unwrap();
    });
    let ask = ("retry_policy", "Ask");
    figures.assert("retry_hedges", &[ask, ("retry_after_failure", "false")], 1.0);
    figures.assert("retry_hedges", &[ask, ("retry_after_failure", "true")], 1.0);
    figures.assert("retry_wins", &[ask, ("retry_place", "2")], 2.0);
    figures.assert("retry_wins", &[ask, ("retry_place", "1")], 1.0);
    figures.assert("retry_attempts", &[ask, ("retry_end", "cancelled")], 1.0);
    figures.assert("retry_run_attempts_sum", &[ask], 2.0 + 2.0 + 1.0);
}

#[test]
fn the_branch_of_a_fallback_that_brought_the_value_is_counted() {
    let figures = Figures::of(async || {
        let page = Page::new()
            .cache(async |_| Err::<(), _>(Oops::Busy))
            .origin(async |_| Ok(()));
        page.run().await.unwrap();
    });
    figures.assert(
        "retry_wins",
        &[("retry_policy", "Page"), ("retry_place", "2")],
        1.0,
    );
    figures.assert(
        "retry_attempts",
        &[("retry_leaf", "cache"), ("retry_end", "failure")],
        1.0,
    );
    figures.assert(
        "retry_attempts",
        &[("retry_leaf", "origin"), ("retry_end", "success")],
        1.0,
    );
}

/// One run for each way to stop.
pub(crate) async fn every_stop() {
    let busy = async |_| Err::<(), _>(Oops::Busy);
    Charge::run(busy).await.unwrap_err();
    Charge::run(async |_| Err::<(), _>(Oops::Declined))
        .await
        .unwrap_err();
    Poor::run(busy).await.unwrap_err();
    Tight::run(busy).await.unwrap_err();
    Slow::run(async |_| pending::<Result<(), _>>().await)
        .await
        .unwrap_err();
    Late::run(async |_| pending::<Result<(), _>>().await)
        .await
        .unwrap_err();
    let dropped = tokio::time::timeout(Duration::from_millis(100), Charge::run(busy));
    dropped.await.unwrap_err();
}

/// One run whose second copy brings the value, since the first failed.
pub(crate) async fn a_hedge_that_wins() {
    let asked = Ask::run(async |cx| if cx.copy() == 1 { Err(Oops::Busy) } else { Ok(()) });
    asked.await.unwrap();
}

#[test]
fn each_stop_is_counted_by_its_kind() {
    let figures = Figures::of(every_stop);
    for (policy, stop) in [
        ("Charge", "exhausted"),
        ("Charge", "not_retryable"),
        ("Poor", "budget_refused"),
        ("Tight", "wont_fit"),
        ("Slow", "timed_out"),
        ("Late", "deadline_exceeded"),
        ("Charge", "cancelled"),
    ] {
        let labels = [("retry_policy", policy), ("retry_outcome", stop)];
        figures.assert("retry_runs", &labels, 1.0);
    }
    figures.assert("retry_runs", &[], 7.0);
}

#[test]
fn a_refused_repeat_is_counted_with_its_reason() {
    let figures = Figures::of(every_stop);
    figures.assert(
        "retry_refusals",
        &[("retry_policy", "Poor"), ("retry_stop", "budget_refused")],
        1.0,
    );
    figures.assert(
        "retry_refusals",
        &[("retry_policy", "Tight"), ("retry_stop", "wont_fit")],
        1.0,
    );
    // An error that is final, and a last attempt, ask for no repeat that could be refused.
    figures.assert("retry_refusals", &[], 2.0);
}

#[test]
fn a_budgets_level_and_what_it_paid_for_are_told() {
    let busy = async |_| Err::<(), _>(Oops::Busy);
    let labels = [("retry_budget", "payments")];
    let figures = Figures::of(async || {
        Pay::run(busy).await.unwrap_err();
        record_budget(&PAYMENTS);
    });
    // In millionths of a retry: four, less two retries.
    figures.assert("retry_budget_limit", &labels, 4_000_000.0);
    figures.assert("retry_budget_available", &labels, 2_000_000.0);
    figures.assert("retry_budget_retries", &labels, 2.0);

    let figures = Figures::of(async || {
        PayTwice::run(busy).await.unwrap_err();
        // One retry is left, and the second is refused.
        Pay::run(busy).await.unwrap_err();
        record_budget(&PAYMENTS);
    });
    figures.assert("retry_budget_available", &labels, 0.0);
    figures.assert("retry_budget_retries", &labels, 2.0 + 1.0);
    figures.assert("retry_budget_hedges", &labels, 1.0);
    figures.assert("retry_budget_refusals", &labels, 1.0);
}

/// The table in the docs: of each name its kind and labels.
fn documented() -> BTreeMap<String, (String, BTreeSet<String>)> {
    let words = |cell: &str| -> Vec<String> {
        let quoted = cell.split('`').skip(1).step_by(2);
        quoted.map(|word| word.replace('.', "_")).collect()
    };
    include_str!("../../src/metrics.rs")
        .lines()
        .filter(|line| line.starts_with("//! | `retry."))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let name = words(cells[1]).remove(0);
            let kind = cells[2].split(',').next().unwrap().to_owned();
            (name, (kind, words(cells[3]).into_iter().collect()))
        })
        .collect()
}

#[test]
fn the_docs_promise_exactly_what_is_counted() {
    let figures = Figures::of(async || {
        every_stop().await;
        a_hedge_that_wins().await;
        record_budget(&PAYMENTS);
    });
    let kinds: BTreeMap<&str, &str> = figures
        .0
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .collect();
    let mut counted: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    for (name, labels, _) in figures.samples() {
        let name = ["_sum", "_count"]
            .iter()
            .find_map(|end| name.strip_suffix(end).filter(|name| kinds.contains_key(name)))
            .unwrap_or(name);
        let kind = match kinds[name] {
            // The exporter's form of a histogram without buckets.
            "summary" => "histogram",
            kind => kind,
        };
        let entry = counted.entry(name.to_owned()).or_default();
        entry.0 = kind.to_owned();
        let labels = labels.into_keys().filter(|label| *label != "quantile");
        entry.1.extend(labels.map(str::to_owned));
    }
    assert_eq!(counted, documented());
}
