//! What a log shows of runs.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex};

use crate::figures::{a_hedge_that_wins, every_stop};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// The lines of these runs, on virtual time.
    fn of(runs: impl AsyncFnOnce()) -> Vec<String> {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_ansi(false)
            .with_target(false)
            .without_time()
            .with_writer(move || writer.clone())
            .finish();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        tracing::subscriber::with_default(subscriber, || runtime.block_on(runs()));
        let bytes = log.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }
}

/// The names before each `=`.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split([' ', '{', '}', ':']);
    words.filter_map(|word| Some(word.split_once('=')?.0))
}

/// The first column of the table in the docs.
fn documented() -> BTreeSet<&'static str> {
    include_str!("../../retry-runtime/src/observer.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split('|').next())
        .flat_map(|names| names.split(['`', ',', ' ']))
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn the_docs_name_exactly_the_fields_that_are_told() {
    let lines = Log::of(async || {
        every_stop().await;
        a_hedge_that_wins().await;
    });
    let told: BTreeSet<&str> = lines.iter().flat_map(|line| fields(line)).collect();
    assert_eq!(told, documented(), "{lines:#?}");
}

#[test]
fn each_run_is_one_line_at_info_and_everything_else_is_quieter() {
    let lines = Log::of(every_stop);
    let (outcomes, others): (Vec<&String>, Vec<&String>) =
        lines.iter().partition(|line| line.contains("run ended"));
    for stop in [
        "exhausted",
        "not_retryable",
        "budget_refused",
        "wont_fit",
        "timed_out",
        "deadline_exceeded",
        "cancelled",
    ] {
        let told = format!("retry.outcome=\"{stop}\" retry.elapsed_ms");
        let count = outcomes.iter().filter(|line| line.contains(&told)).count();
        assert_eq!(count, 1, "{stop}: {outcomes:#?}");
    }
    assert!(
        outcomes.iter().all(|line| line.starts_with("INFO")),
        "{outcomes:#?}"
    );
    assert!(others.iter().all(|line| line.starts_with("DEBUG")), "{others:#?}");
}
