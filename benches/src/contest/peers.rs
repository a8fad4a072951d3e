//! The libraries that retry a closure, each told the same: three attempts, the predicate, waits from 100 ms to 1 s, doubled
//! and jittered.

use crate::operation::Refusal;
use backon::Retryable;
use std::future::Future;
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(1);

pub(super) fn tokio_retry<A>(operation: A) -> impl Future<Output = Result<u64, Refusal>>
where
    A: tokio_retry::Action<Item = u64, Error = Refusal>,
{
    let waits = tokio_retry::strategy::ExponentialBackoff::from_millis(2)
        .factor(50)
        .max_delay(LONGEST)
        .map(tokio_retry::strategy::jitter)
        .take(2);
    tokio_retry::RetryIf::start(waits, operation, Refusal::is_transient)
}

/// Its predicate is in the operation's error: see [`classified`].
pub(super) fn tokio_retry2<A>(operation: A) -> impl Future<Output = Result<u64, Refusal>>
where
    A: tokio_retry2::Action<Item = u64, Error = Refusal>,
{
    let waits = tokio_retry2::strategy::ExponentialBackoff::from_millis(2)
        .factor(50)
        .max_delay(LONGEST)
        .map(tokio_retry2::strategy::jitter)
        .take(2);
    tokio_retry2::Retry::spawn(waits, operation)
}

/// The predicate, as tokio-retry2 wants it.
pub(super) fn classified(error: Refusal) -> tokio_retry2::RetryError<Refusal> {
    if error.is_transient() {
        tokio_retry2::RetryError::transient(error)
    } else {
        tokio_retry2::RetryError::permanent(error)
    }
}

/// It has no jitter, and its predicate would be a type of its own.
pub(super) fn tryhard<F>(operation: impl FnMut() -> F) -> impl Future<Output = Result<u64, Refusal>>
where
    F: Future<Output = Result<u64, Refusal>>,
{
    tryhard::retry_fn(operation)
        .retries(2)
        .exponential_backoff(FIRST)
        .max_delay(LONGEST)
}

pub(super) fn backon<F>(operation: impl FnMut() -> F) -> impl Future<Output = Result<u64, Refusal>>
where
    F: Future<Output = Result<u64, Refusal>>,
{
    operation
        .retry(
            backon::ExponentialBuilder::default()
                .with_min_delay(FIRST)
                .with_max_delay(LONGEST)
                .with_max_times(2)
                .with_jitter(),
        )
        .when(Refusal::is_transient)
}
