//! An observer that writes down what it is told.

use std::future::Future;
use std::sync::{Arc, Mutex};

use retry_plan::{Attempt, Event, Observer, Scope, Stop};

/// Each event as a line, without the error's path.
#[derive(Default)]
pub(crate) struct Log(Mutex<Vec<String>>);

impl Observer for Log {
    fn event(&self, policy: &'static str, event: &Event<'_>) {
        let attempt = |cx: Attempt| {
            let of = cx.of().map_or(String::new(), |of| format!("/{of}"));
            format!("{}{of} copy {}", cx.number(), cx.copy())
        };
        let line = match *event {
            Event::Begin => "begin".to_owned(),
            Event::Start { leaf, attempt: cx } => format!("start {leaf} {}", attempt(cx)),
            Event::End {
                leaf,
                attempt: cx,
                end,
                error,
            } => {
                let error = error.map_or(String::new(), |error| {
                    format!(" {}", error.rsplit("::").next().unwrap_or(error))
                });
                format!("end {leaf} {}: {}{error}", attempt(cx), end.name())
            }
            Event::Wait {
                attempt,
                wait,
                hinted,
            } => format!(
                "wait {wait:?} after {attempt}{}",
                if hinted { ", hinted" } else { "" }
            ),
            Event::Hedge { copy, after_failure } => {
                format!(
                    "hedge {copy} by {}",
                    if after_failure { "failure" } else { "time" }
                )
            }
            Event::Win { place } => format!("win {place}"),
            Event::Refusal { attempts, stop } => format!("refused after {attempts}: {}", stop.name()),
            Event::Stop {
                stop,
                attempts,
                elapsed,
            } => {
                let outcome = stop.map_or("success", Stop::name);
                format!("stop {outcome}, {attempts} in {elapsed:?}")
            }
            _ => unreachable!("every event has its line"),
        };
        self.0.lock().unwrap().push(format!("{policy}: {line}"));
    }
}

/// What `run` told, and what it brought.
pub(crate) async fn watched<F: Future>(run: F) -> (F::Output, Vec<String>) {
    let log = Arc::new(Log::default());
    let output = Scope::new().observed(log.clone()).run(run).await;
    (output, log.lines())
}

impl Log {
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Checks the lines, which all begin with the policy's name.
#[track_caller]
pub(crate) fn told(lines: &[String], policy: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|line| format!("{policy}: {line}")).collect();
    assert_eq!(lines, expected);
}
