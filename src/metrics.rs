//! Runs as figures of the `metrics` crate.
//!
//! Names, labels and units follow OpenTelemetry's conventions: dotted, in lower case, durations in seconds, no unit in the
//! name, `error.type` only where there is an error. A Prometheus exporter writes dots as underscores.
//!
//! | name | kind | labels | what |
//! |---|---|---|---|
//! | `retry.runs` | counter | `retry.policy`, `retry.outcome` | runs that ended: `success`, or the [`Stop`] |
//! | `retry.run.duration` | histogram, s | `retry.policy`, `retry.outcome` | from the first time that something in the run was pending to its end; zero if nothing was |
//! | `retry.run.attempts` | histogram | `retry.policy`, `retry.outcome` | attempts started in a run, in all leaves and copies |
//! | `retry.attempts` | counter | `retry.policy`, `retry.leaf`, `retry.end`, `error.type` | attempts that ended, and [how](retry_runtime::End) |
//! | `retry.retries` | counter | `retry.policy`, `retry.hinted` | waits for another attempt, and whether a server's hint made them longer |
//! | `retry.wait.duration` | histogram, s | `retry.policy` | those waits |
//! | `retry.hedges` | counter | `retry.policy`, `retry.after_failure` | further copies launched, and whether a failure brought them or the time |
//! | `retry.wins` | counter | `retry.policy`, `retry.place` | which copy, or branch of a race or fallback, brought the value: `1` is the first, and a hedge that paid off is any other |
//! | `retry.refusals` | counter | `retry.policy`, `retry.stop` | repeats that were refused, and why |
//! | `retry.budget.available` | gauge | `retry.budget` | what is left in a budget, in its own units |
//! | `retry.budget.limit` | gauge | `retry.budget` | the most that it holds, in the same units |
//! | `retry.budget.retries` | counter | `retry.budget` | retries that it paid for |
//! | `retry.budget.hedges` | counter | `retry.budget` | further copies that it paid for |
//! | `retry.budget.refusals` | counter | `retry.budget` | repeats that it refused |
//!
//! Runs are counted as they happen, by [`Metrics`]; budgets when [`record_budget`] is called. A label has as many values as
//! there are policies, leaves, error types and stops in the program: none comes from outside of it. The policy of a run in
//! place that has no name is its file and line.
//!
//! ```
//! use std::sync::Arc;
//! use metrics_exporter_prometheus::PrometheusBuilder;
//! use retry_plan::metrics::Metrics;
//! use retry_plan::{Scope, retry_policy};
//!
//! retry_policy! {
//!     struct Charge { retry(attempts = 3, backoff = fixed(10ms), jitter = full) { attempt(500ms) } }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let page = PrometheusBuilder::new().install_recorder().expect("the first recorder");
//! // For the whole process: `retry_plan::observer::install(Metrics::new())`, once. For a part of it:
//! let inside = Scope::new().observed(Arc::new(Metrics::new()));
//! inside.run(Charge::run(async |cx| if cx.is_last() { Ok(()) } else { Err(std::io::Error::other("busy")) })).await.unwrap();
//!
//! let page = page.render();
//! assert!(page.contains(r#"retry_runs{retry_policy="Charge",retry_outcome="success"} 1"#), "{page}");
//! assert!(page.contains(r#"retry_retries{retry_policy="Charge",retry_hinted="false"} 2"#), "{page}");
//! # }
//! ```
//!
//! `cargo run --example metrics --features metrics -- --seconds 60` serves the page of a program that works.

use metrics::{Label, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use retry_runtime::{Budget, Event, Observer, Stop};

const RUNS: &str = "retry.runs";
const RUN_DURATION: &str = "retry.run.duration";
const RUN_ATTEMPTS: &str = "retry.run.attempts";
const ATTEMPTS: &str = "retry.attempts";
const RETRIES: &str = "retry.retries";
const WAIT_DURATION: &str = "retry.wait.duration";
const HEDGES: &str = "retry.hedges";
const WINS: &str = "retry.wins";
const REFUSALS: &str = "retry.refusals";
const BUDGET_AVAILABLE: &str = "retry.budget.available";
const BUDGET_LIMIT: &str = "retry.budget.limit";
const BUDGET_RETRIES: &str = "retry.budget.retries";
const BUDGET_HEDGES: &str = "retry.budget.hedges";
const BUDGET_REFUSALS: &str = "retry.budget.refusals";

const POLICY: &str = "retry.policy";
const OUTCOME: &str = "retry.outcome";
const BUDGET: &str = "retry.budget";

/// Turns what runs tell into figures.
///
/// [Installed](retry_runtime::observer::install) for the process, or in one [`Scope`](retry_runtime::Scope::observed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Metrics;

impl Metrics {
    /// Describes the figures to the recorder, which therefore has to be installed before.
    #[must_use]
    pub fn new() -> Self {
        describe_counter!(RUNS, Unit::Count, "Runs that ended");
        describe_histogram!(RUN_DURATION, Unit::Seconds, "From a run's first wait to its end");
        describe_histogram!(RUN_ATTEMPTS, Unit::Count, "Attempts started in a run");
        describe_counter!(ATTEMPTS, Unit::Count, "Attempts that ended");
        describe_counter!(RETRIES, Unit::Count, "Waits for another attempt");
        describe_histogram!(WAIT_DURATION, Unit::Seconds, "Waits for another attempt");
        describe_counter!(HEDGES, Unit::Count, "Further copies launched");
        describe_counter!(WINS, Unit::Count, "Copies and branches that brought the value");
        describe_counter!(REFUSALS, Unit::Count, "Repeats that were refused");
        describe_gauge!(BUDGET_AVAILABLE, Unit::Count, "Units left in a budget");
        describe_gauge!(BUDGET_LIMIT, Unit::Count, "Units that a budget holds at most");
        describe_counter!(BUDGET_RETRIES, Unit::Count, "Retries that a budget paid for");
        describe_counter!(
            BUDGET_HEDGES,
            Unit::Count,
            "Further copies that a budget paid for"
        );
        describe_counter!(BUDGET_REFUSALS, Unit::Count, "Repeats that a budget refused");
        Self
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Observer for Metrics {
    fn event(&self, policy: &'static str, event: &Event<'_>) {
        match *event {
            Event::End { leaf, end, error, .. } => {
                let mut labels = vec![
                    Label::from_static_parts(POLICY, policy),
                    Label::new("retry.leaf", leaf.to_owned()),
                    Label::from_static_parts("retry.end", end.name()),
                ];
                labels.extend(error.map(|error| Label::from_static_parts("error.type", error)));
                counter!(ATTEMPTS, labels).increment(1);
            }
            Event::Wait { wait, hinted, .. } => {
                counter!(RETRIES, POLICY => policy, "retry.hinted" => text(hinted)).increment(1);
                histogram!(WAIT_DURATION, POLICY => policy).record(wait);
            }
            Event::Hedge { after_failure, .. } => {
                counter!(HEDGES, POLICY => policy, "retry.after_failure" => text(after_failure)).increment(1);
            }
            Event::Win { place } => {
                counter!(WINS, POLICY => policy, "retry.place" => place.to_string()).increment(1);
            }
            Event::Refusal { stop, .. } => {
                counter!(REFUSALS, POLICY => policy, "retry.stop" => stop.name()).increment(1);
            }
            Event::Stop {
                stop,
                attempts,
                elapsed,
            } => {
                let labels = [(POLICY, policy), (OUTCOME, stop.map_or("success", Stop::name))];
                counter!(RUNS, &labels).increment(1);
                histogram!(RUN_DURATION, &labels).record(elapsed);
                histogram!(RUN_ATTEMPTS, &labels).record(attempts);
            }
            // Runs and attempts are counted where they end.
            _ => {}
        }
    }
}

const fn text(yes: bool) -> &'static str {
    if yes { "true" } else { "false" }
}

/// Puts a budget's figures into the recorder, as they are now: called before a scrape, or every few seconds.
///
/// The label is the budget's [name](Budget::named).
///
/// ```
/// use retry_plan::Budget;
///
/// static PAYMENTS: Budget = Budget::ratio(0.1, 10).named("payments");
/// // Where the page is made:
/// retry_plan::metrics::record_budget(&PAYMENTS);
/// ```
pub fn record_budget(budget: &'static Budget) {
    let name = budget.name();
    let stats = budget.stats();
    counter!(BUDGET_RETRIES, BUDGET => name).absolute(stats.retries);
    counter!(BUDGET_HEDGES, BUDGET => name).absolute(stats.hedges);
    counter!(BUDGET_REFUSALS, BUDGET => name).absolute(stats.refused);
    gauge!(BUDGET_AVAILABLE, BUDGET => name).set(level(stats.available));
    gauge!(BUDGET_LIMIT, BUDGET => name).set(level(budget.scheme().capacity));
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is an f64, and a level is read to a few digits"
)]
const fn level(units: u64) -> f64 {
    units as f64
}
