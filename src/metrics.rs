//! Runs as figures of the `metrics` crate.
//!
//! Names and units follow OpenTelemetry's conventions: dotted, in lower case, durations in seconds, no unit in the name;
//! a Prometheus exporter writes dots as underscores.
//!
//! | name | kind | labels | what |
//! |---|---|---|---|
//! | `retry.runs` | counter | `retry.policy`, `retry.outcome` | runs that ended: `success`, or why they stopped |
//! | `retry.run.duration` | histogram, s | the same | from the first wait of a run to its end |
//! | `retry.run.attempts` | histogram | `retry.policy`, `retry.outcome` | attempts started in a run, in all leaves and copies |
//! | `retry.attempts` | counter | `retry.policy`, `retry.leaf`, `retry.end`, `error.type` | attempts that ended, and how |
//! | `retry.retries` | counter | `retry.policy`, `retry.hinted` | waits for another attempt, and whether a server asked |
//! | `retry.wait.duration` | histogram, s | `retry.policy` | those waits |
//! | `retry.hedges` | counter | `retry.policy` | further copies launched |
//! | `retry.wins` | counter | `retry.policy`, `retry.place` | the copy, or branch, that brought the value |
//! | `retry.refusals` | counter | `retry.policy`, `retry.stop` | repeats that were refused, and why |
//! | `retry.budget.available` | gauge | `retry.budget` | units left in a budget |
//! | `retry.budget.repeats`, `retry.budget.refusals` | counter | `retry.budget` | what a budget admitted and refused |
//!
//! A label has as many values as there are policies, leaves, error types and stops in the program: none comes from
//! outside of it.
//!
//! ```
//! // Once, at the start of the program, beside the exporter.
//! retry_plan::observer::install(retry_plan::metrics::Metrics::new()).expect("nobody else observes");
//! ```

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use retry_runtime::{Budget, Event, Observer, Stop};

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
        describe_counter!("retry.runs", Unit::Count, "Runs that ended");
        describe_histogram!(
            "retry.run.duration",
            Unit::Seconds,
            "From the first wait of a run to its end"
        );
        describe_histogram!("retry.run.attempts", Unit::Count, "Attempts started in a run");
        describe_counter!("retry.attempts", Unit::Count, "Attempts that ended");
        describe_counter!("retry.retries", Unit::Count, "Waits for another attempt");
        describe_histogram!("retry.wait.duration", Unit::Seconds, "Waits for another attempt");
        describe_counter!("retry.hedges", Unit::Count, "Further copies launched");
        describe_counter!(
            "retry.wins",
            Unit::Count,
            "Copies and branches that brought the value"
        );
        describe_counter!("retry.refusals", Unit::Count, "Repeats that were refused");
        describe_gauge!("retry.budget.available", Unit::Count, "Units left in a budget");
        describe_counter!(
            "retry.budget.repeats",
            Unit::Count,
            "Repeats that a budget admitted"
        );
        describe_counter!(
            "retry.budget.refusals",
            Unit::Count,
            "Repeats that a budget refused"
        );
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
            Event::End { leaf, end, error, .. } => counter!(
                "retry.attempts",
                "retry.policy" => policy,
                "retry.leaf" => leaf.to_owned(),
                "retry.end" => end.name(),
                "error.type" => error.unwrap_or_default()
            )
            .increment(1),
            Event::Wait { wait, hinted, .. } => {
                let hinted = if hinted { "true" } else { "false" };
                counter!("retry.retries", "retry.policy" => policy, "retry.hinted" => hinted).increment(1);
                histogram!("retry.wait.duration", "retry.policy" => policy).record(wait);
            }
            Event::Hedge { .. } => counter!("retry.hedges", "retry.policy" => policy).increment(1),
            Event::Win { place } => {
                counter!("retry.wins", "retry.policy" => policy, "retry.place" => place.to_string())
                    .increment(1);
            }
            Event::Refusal { stop, .. } => {
                counter!("retry.refusals", "retry.policy" => policy, "retry.stop" => stop.name())
                    .increment(1);
            }
            Event::Stop {
                stop,
                attempts,
                elapsed,
            } => {
                let outcome = stop.map_or("success", Stop::name);
                let labels = [("retry.policy", policy), ("retry.outcome", outcome)];
                counter!("retry.runs", &labels).increment(1);
                histogram!("retry.run.duration", &labels).record(elapsed);
                histogram!("retry.run.attempts", &labels).record(attempts);
            }
            // Runs and attempts are counted where they end.
            _ => {}
        }
    }
}

/// Puts a budget's figures into the recorder, as they are now: called before a scrape, or every few seconds.
///
/// The label is the budget's [name](Budget::named).
pub fn record_budget(budget: &'static Budget) {
    let name = budget.name();
    let stats = budget.stats();
    counter!("retry.budget.repeats", "retry.budget" => name).absolute(stats.retries + stats.hedges);
    counter!("retry.budget.refusals", "retry.budget" => name).absolute(stats.refused);
    #[allow(
        clippy::cast_precision_loss,
        reason = "a gauge is an f64, and no budget holds 2^53 units"
    )]
    gauge!("retry.budget.available", "retry.budget" => name).set(stats.available as f64);
}
