//! What stands in the attribute sees the function's arguments.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::sync::Mutex;
use std::time::Duration;

use retry_plan::{Budget, Retrying, Stop, retry};

use crate::table::{Flaky, broken, table};

table! {
    spawned a_predicate_by_path: async |flaky| by_path(&flaky).await.is_ok();
    spawned a_predicate_with_arguments: async |flaky| judged(&flaky, Mode::Patient).await.is_ok();
    spawned an_async_predicate: async |flaky| judged_later(&flaky, Mode::Patient).await.is_ok();
    spawned a_hook_with_arguments: async |flaky| watched(&flaky, &Log::default()).await.is_ok();
    spawned an_async_hook: async |flaky| watched_later(&flaky, &Log::default()).await.is_ok();
    spawned a_context: async |flaky| with_context(&flaky).await.is_ok();
    spawned a_key: async |flaky| keyed(&flaky, &Mutex::default()).await.is_ok();
    spawned a_key_of_an_argument: async |flaky| keyed_by_order(&flaky, Order { id: 7 }, &Mutex::default()).await.is_ok();
    spawned a_budget: async |flaky| paid(&flaky).await.is_ok();
    spawned a_hint: async |flaky| hinted(&flaky, Duration::from_secs(1)).await.is_ok();
    spawned a_hedge: async |flaky| hedged(&flaky, "a").await.is_ok();
    awaited hooks_of_arguments_that_stay: async |flaky| stays(&flaky, &RefCell::default()).await.is_ok();
}

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("try again")]
    Transient,
    #[error("try again after {0:?}")]
    Busy(Duration),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Interrupted(#[from] retry_plan::Interrupted),
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Patient,
    Hasty,
}

impl Failed {
    fn is_transient(&self) -> bool {
        !matches!(self, Self::Interrupted(_))
    }

    fn is_transient_in(&self, mode: Mode) -> bool {
        mode == Mode::Patient && self.is_transient()
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy(wait) => Some(*wait),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Log(Mutex<Vec<(String, u32, Duration)>>);

impl Log {
    fn note(&self, retry: &Retrying<'_, Failed>) {
        let error = retry.error().map(ToString::to_string).unwrap_or_default();
        self.0
            .lock()
            .unwrap()
            .push((error, retry.attempt(), retry.wait()));
    }
}

#[retry(attempts = 3, attempt = 500ms, when = Failed::is_transient)]
async fn by_path(flaky: &Flaky) -> Result<u32, Failed> {
    Ok(flaky.answer().await?)
}

#[retry(attempts = 3, attempt = 500ms, when = |error| error.is_transient_in(mode))]
async fn judged(flaky: &Flaky, mode: Mode) -> Result<u32, Failed> {
    flaky.answer().await.map_err(|_| Failed::Transient)
}

#[retry(attempts = 3, attempt = 500ms, when = async |error| {
    tokio::task::yield_now().await;
    error.is_transient_in(mode)
})]
async fn judged_later(flaky: &Flaky, mode: Mode) -> Result<u32, Failed> {
    flaky.answer().await.map_err(|_| Failed::Transient)
}

#[tokio::test(start_paused = true)]
async fn a_predicate_decides_by_an_argument() {
    for (mode, calls) in [(Mode::Patient, 3), (Mode::Hasty, 1)] {
        let flaky = Flaky::new(9);
        judged(&flaky, mode).await.unwrap_err();
        assert_eq!(flaky.calls(), calls);
        let flaky = Flaky::new(9);
        judged_later(&flaky, mode).await.unwrap_err();
        assert_eq!(flaky.calls(), calls);
    }
}

#[retry(attempts = 3, attempt = 500ms, backoff = fixed(50ms), jitter = none, on_retry = |retry| log.note(&retry))]
async fn watched(flaky: &Flaky, log: &Log) -> Result<u32, Failed> {
    Ok(flaky.answer().await?)
}

#[retry(attempts = 3, attempt = 500ms, on_retry = async |retry| {
    tokio::task::yield_now().await;
    log.note(&retry);
})]
async fn watched_later(flaky: &Flaky, log: &Log) -> Result<u32, Failed> {
    Ok(flaky.answer().await?)
}

#[tokio::test(start_paused = true)]
async fn on_retry_logs_through_an_argument() {
    let log = Log::default();
    watched(&Flaky::new(3), &log).await.unwrap();
    let wait = Duration::from_millis(50);
    let broken = broken().to_string();
    assert_eq!(
        *log.0.lock().unwrap(),
        [(broken.clone(), 1, wait), (broken, 2, wait)]
    );
    let log = Log::default();
    watched_later(&Flaky::new(3), &log).await.unwrap();
    assert_eq!(log.0.lock().unwrap().len(), 2);
}

#[retry(attempts = 3, attempt = 500ms, context = cx)]
async fn with_context(flaky: &Flaky) -> io::Result<(u32, Option<u32>, bool)> {
    assert_eq!(cx.number(), flaky.calls() + 1);
    assert_eq!(cx.remaining(), Some(Duration::from_millis(500)));
    flaky.answer().await?;
    Ok((cx.number(), cx.of(), cx.is_last()))
}

#[tokio::test(start_paused = true)]
async fn the_context_tells_the_body_its_attempt() {
    assert_eq!(with_context(&Flaky::new(2)).await.unwrap(), (2, Some(3), false));
    assert_eq!(with_context(&Flaky::new(3)).await.unwrap(), (3, Some(3), true));
}

type Keys = Mutex<Vec<String>>;

#[retry(attempts = 3, attempt = 500ms, idempotent = false, idempotency_key, context = cx)]
async fn keyed(flaky: &Flaky, keys: &Keys) -> io::Result<()> {
    let key = cx.idempotency_key().ok_or_else(broken)?;
    keys.lock().unwrap().push(key.to_string());
    flaky.answer().await?;
    Ok(())
}

struct Order {
    id: u64,
}

#[retry(attempts = 3, attempt = 500ms, idempotent = false, idempotency_key = order.id.to_string(), context = cx)]
async fn keyed_by_order(flaky: &Flaky, order: Order, keys: &Keys) -> io::Result<u64> {
    let key = cx.idempotency_key().ok_or_else(broken)?;
    keys.lock().unwrap().push(key.to_string());
    flaky.answer().await?;
    Ok(order.id)
}

#[tokio::test(start_paused = true)]
async fn a_key_is_made_once_for_each_run_and_of_an_argument_it_is_the_callers_own() {
    let keys = Keys::default();
    keyed(&Flaky::new(3), &keys).await.unwrap();
    keyed(&Flaky::new(3), &keys).await.unwrap();
    let keys = keys.into_inner().unwrap();
    assert_eq!(keys.len(), 6);
    assert_eq!(keys.into_iter().collect::<HashSet<_>>().len(), 2);

    let keys = Keys::default();
    keyed_by_order(&Flaky::new(3), Order { id: 7 }, &keys)
        .await
        .unwrap();
    keyed_by_order(&Flaky::new(3), Order { id: 7 }, &keys)
        .await
        .unwrap();
    assert_eq!(
        keys.into_inner().unwrap(),
        ["7"; 6],
        "also over a retry of the caller's"
    );
}

#[retry(attempts = 3, attempt = 500ms, until = |call| *call >= wanted)]
async fn until(flaky: &Flaky, wanted: u32) -> io::Result<u32> {
    flaky.answer().await
}

#[tokio::test(start_paused = true)]
async fn until_waits_for_the_value_that_an_argument_names() {
    let flaky = Flaky::new(1);
    assert_eq!(until(&flaky, 3).await.unwrap(), 3);
    let flaky = Flaky::new(1);
    let error = until(&flaky, 4).await.unwrap_err();
    let told = error.downcast::<retry_plan::Interrupted>().unwrap();
    assert_eq!((told.stop, flaky.calls()), (Stop::Exhausted, 3));
}

static SHOP: Budget = Budget::unlimited();

#[retry(attempts = 3, attempt = 500ms, budget = SHOP)]
async fn paid(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

static TWO: Budget = Budget::grpc(4, 0.1);

#[retry(attempts = 9, attempt = 500ms, budget = self::TWO)]
async fn paid_by_two(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_has_nothing_left_refuses_and_gives_the_last_error() {
    let flaky = Flaky::new(99);
    let error = paid_by_two(&flaky).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    assert!(flaky.calls() < 9, "{} calls", flaky.calls());
}

#[retry(
    attempts = 3, attempt = 500ms, backoff = fixed(10ms), jitter = none,
    retry_after = |error| error.retry_after(), retry_after_max = 30s
)]
async fn hinted(flaky: &Flaky, wait: Duration) -> Result<u32, Failed> {
    flaky.answer().await.map_err(|_| Failed::Busy(wait))
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_an_error_carries_is_waited_for() {
    let start = tokio::time::Instant::now();
    hinted(&Flaky::new(3), Duration::from_secs(5)).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(10));
    let flaky = Flaky::new(3);
    hinted(&flaky, Duration::from_secs(31)).await.unwrap_err();
    assert_eq!(flaky.calls(), 1, "a hint above its maximum ends the run");
}

/// Copies start at once when one fails, so that three copies are three calls.
#[retry(hedge(after = 50ms, copies = 3) { attempt(500ms) }, context = cx)]
async fn hedged(flaky: &Flaky, name: &str) -> io::Result<String> {
    flaky.answer().await?;
    Ok(format!("{name}{}", cx.copy()))
}

#[retry(hedge(after = 50ms, copies = 2) { attempt(500ms) }, context = cx)]
async fn slow_at_first(name: String, calls: &Flaky) -> io::Result<String> {
    calls.call()?;
    if cx.copy() == 1 {
        std::future::pending::<()>().await;
    }
    Ok(format!("{name}{}", cx.copy()))
}

#[tokio::test(start_paused = true)]
async fn copies_share_the_arguments_and_the_first_success_wins() {
    let calls = Flaky::new(1);
    let start = tokio::time::Instant::now();
    assert_eq!(slow_at_first("copy ".to_owned(), &calls).await.unwrap(), "copy 2");
    assert_eq!((calls.calls(), start.elapsed()), (2, Duration::from_millis(50)));
}

#[retry(
    attempts = 3, attempt = 500ms,
    when = |error| {
        seen.borrow_mut().push(error.kind());
        true
    },
    on_retry = |retry| seen.borrow_mut().extend(retry.error().map(io::Error::kind))
)]
async fn stays(flaky: &Flaky, seen: &RefCell<Vec<io::ErrorKind>>) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, attempt = 500ms, on_retry = |retry| waits.push(retry.attempt()))]
async fn exclusive(flaky: &Flaky, waits: &mut Vec<u32>) -> io::Result<usize> {
    flaky.answer().await?;
    Ok(waits.len())
}

#[tokio::test(start_paused = true)]
async fn a_hook_writes_to_a_mutable_argument_between_attempts() {
    let mut waits = Vec::new();
    assert_eq!(exclusive(&Flaky::new(3), &mut waits).await.unwrap(), 2);
    assert_eq!(waits, [1, 2]);
}
