//! What `tracing` makes of a run: one span, one event per decision, the outcome at one level, and nothing louder.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use retry_plan::retry_policy;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Subscriber, info};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use crate::script::{HANGS, Oops, Script, err, ms, ok};

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fixed(20ms), jitter = none) { attempt(100ms) }
    }
    struct Copies {
        hedge(after = 10ms, copies = 2) { attempt(50ms) }
    }
}

/// Writes down spans and events, each event with the spans that it is in.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

struct Fields<'l>(&'l mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        match field.name() {
            "message" => write!(self.0, " {value:?}"),
            // An error's type is told with its path.
            "error.type" => {
                let text = format!("{value:?}");
                let name = text.trim_matches('"').rsplit("::").next().unwrap_or_default();
                write!(self.0, " error.type={name}")
            }
            name => write!(self.0, " {name}={value:?}"),
        }
        .unwrap();
    }
}

impl Lines {
    fn push(&self, start: String, record: impl FnOnce(&mut Fields<'_>)) {
        let mut line = start;
        record(&mut Fields(&mut line));
        self.0.lock().unwrap().push(line);
    }

    /// What is told from now on, on this thread.
    fn listen(&self) -> DefaultGuard {
        tracing::subscriber::set_default(tracing_subscriber::registry().with(self.clone()))
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Lines {
    fn on_new_span(&self, span: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        let meta = span.metadata();
        self.push(format!("{} span {}:", meta.level(), meta.name()), |fields| {
            span.record(fields);
        });
    }

    fn on_record(&self, _: &Id, values: &Record<'_>, _: Context<'_, S>) {
        self.push("span:".to_owned(), |fields| values.record(fields));
    }

    fn on_event(&self, event: &Event<'_>, around: Context<'_, S>) {
        let spans: Vec<_> = around
            .event_scope(event)
            .into_iter()
            .flatten()
            .map(|span| span.name())
            .collect();
        let start = format!("{} in {spans:?}:", event.metadata().level());
        self.push(start, |fields| event.record(fields));
    }

    fn on_close(&self, _: Id, _: Context<'_, S>) {
        self.0.lock().unwrap().push("closed".to_owned());
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_is_one_span_with_an_event_for_each_decision_and_its_outcome() {
    let lines = Lines::default();
    let op = Script::new([err(5, 1), ok(3, 7)]);
    let listening = lines.listen();
    let run = Charge::run(async |_| {
        info!("calling");
        op.call().await
    });
    assert_eq!(run.await, Ok(7));
    drop(listening);
    assert_eq!(
        lines.lines(),
        [
            r#"INFO span retry: retry.policy="Charge""#,
            r#"DEBUG in ["retry"]: attempt starts retry.policy="Charge" retry.leaf="Charge" retry.attempt=1 retry.copy=1"#,
            r#"INFO in ["retry"]: calling"#,
            r#"DEBUG in ["retry"]: attempt failed retry.policy="Charge" retry.leaf="Charge" retry.attempt=1 retry.copy=1 retry.end="failure" error.type=Oops"#,
            r#"DEBUG in ["retry"]: waiting retry.policy="Charge" retry.attempt=1 retry.wait_ms=20 retry.hinted=false"#,
            r#"DEBUG in ["retry"]: attempt starts retry.policy="Charge" retry.leaf="Charge" retry.attempt=2 retry.copy=1"#,
            r#"INFO in ["retry"]: calling"#,
            "span: retry.attempts=2",
            r#"span: retry.outcome="success""#,
            r#"INFO in ["retry"]: run ended retry.policy="Charge" retry.attempts=2 retry.outcome="success" retry.elapsed_ms=28"#,
            "closed",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_about_a_single_attempt_is_louder_than_debug_and_every_outcome_is_at_info() {
    let lines = Lines::default();
    let op = Script::new([err(5, 1), HANGS, err(5, 3)]);
    let listening = lines.listen();
    assert_eq!(Charge::run(async |_| op.call().await).await, Err(Oops::Boom(3)));
    drop(listening);
    let levels: Vec<String> = lines
        .lines()
        .iter()
        .filter(|line| !line.starts_with("span") && !line.starts_with("closed"))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    let (span, events) = levels.split_first().unwrap();
    let (outcome, decisions) = events.split_last().unwrap();
    assert_eq!((span.as_str(), outcome.as_str()), ("INFO", "INFO"));
    assert_eq!(decisions, ["DEBUG"; 8]);
}

#[tokio::test(start_paused = true)]
async fn what_is_dropped_is_told_inside_the_span() {
    let lines = Lines::default();
    let op = Script::new([HANGS]);
    let listening = lines.listen();
    let run = Copies::run(async |_| op.call().await);
    assert!(tokio::time::timeout(ms(5), run).await.is_err());
    drop(listening);
    let lines = lines.lines();
    assert_eq!(
        lines[2..],
        [
            r#"DEBUG in ["retry"]: attempt failed retry.policy="Copies" retry.leaf="Copies" retry.attempt=1 retry.copy=1 retry.end="cancelled""#,
            "span: retry.attempts=1",
            r#"span: retry.outcome="cancelled""#,
            r#"INFO in ["retry"]: run ended retry.policy="Copies" retry.attempts=1 retry.outcome="cancelled" retry.elapsed_ms=5"#,
            "closed",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_in_place_has_the_operations_events_in_its_span_too() {
    let lines = Lines::default();
    let listening = lines.listen();
    let mut calls = 0;
    let run = retry_policy!(Charge, async |_| {
        info!("calling");
        tokio::time::sleep(ms(1)).await;
        info!("called");
        calls += 1;
        if calls < 2 { Err(Oops::Boom(1)) } else { Ok(calls) }
    });
    assert_eq!(run.await, Ok(2));
    drop(listening);
    let called: Vec<String> = lines
        .lines()
        .into_iter()
        .filter(|line| line.contains(": call"))
        .collect();
    assert_eq!(
        called,
        [
            r#"INFO in ["retry"]: calling"#,
            r#"INFO in ["retry"]: called"#,
            r#"INFO in ["retry"]: calling"#,
            r#"INFO in ["retry"]: called"#,
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_inside_another_is_a_span_inside_its_span() {
    retry_policy! {
        struct Caller { timeout(1s) { attempt } }
    }
    let lines = Lines::default();
    let op = Script::new([ok(1, 7)]);
    let listening = lines.listen();
    let run = Caller::run(async |_| Charge::run(async |_| op.call().await).await);
    assert_eq!(run.await, Ok(7));
    drop(listening);
    let nested = lines.lines();
    let starts: Vec<&String> = nested
        .iter()
        .filter(|line| line.contains("attempt starts"))
        .collect();
    assert!(starts[0].starts_with(r#"DEBUG in ["retry"]:"#), "{starts:?}");
    assert!(
        starts[1].starts_with(r#"DEBUG in ["retry", "retry"]:"#),
        "{starts:?}"
    );
}
