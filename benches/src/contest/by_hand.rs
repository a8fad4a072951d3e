//! What a careful person writes by hand.

use crate::operation::{Refusal, Remote};
use rand::RngExt;
use std::future::Future;
use std::time::Duration;
use tokio::time::timeout;

/// 100 ms doubled per retry, at most 1 s, full jitter.
fn jittered(attempt: u32) -> Duration {
    let cap = Duration::from_millis(100)
        .saturating_mul(1 << (attempt - 1))
        .min(Duration::from_secs(1));
    rand::rng().random_range(Duration::ZERO..=cap)
}

/// Three attempts, a predicate, and before each further one a wait, which goes through the timer also when it is zero, as
/// every library's does.
async fn retry_after<T, Fut>(
    wait: impl Fn(u32) -> Duration,
    mut operation: impl FnMut() -> Fut,
) -> Result<T, Refusal>
where
    Fut: Future<Output = Result<T, Refusal>>,
{
    let mut attempt = 1;
    loop {
        match operation().await {
            Ok(value) => return Ok(value),
            Err(error) if attempt == 3 || !error.is_transient() => return Err(error),
            Err(_) => {
                tokio::time::sleep(wait(attempt)).await;
                attempt += 1;
            }
        }
    }
}

/// With jittered waits.
pub(super) fn retry<T, Fut>(operation: impl FnMut() -> Fut) -> impl Future<Output = Result<T, Refusal>>
where
    Fut: Future<Output = Result<T, Refusal>>,
{
    retry_after(jittered, operation)
}

/// With a wait that doesn't change.
pub(super) fn retry_fixed<T, Fut>(
    wait: Duration,
    operation: impl FnMut() -> Fut,
) -> impl Future<Output = Result<T, Refusal>>
where
    Fut: Future<Output = Result<T, Refusal>>,
{
    retry_after(move |_| wait, operation)
}

/// One attempt within half a second. The operation is made inside, so that its future lies in this one once.
pub(super) async fn bounded<'r, F>(
    remote: &'r Remote,
    operation: impl Fn(&'r Remote) -> F,
) -> Result<u64, Refusal>
where
    F: Future<Output = Result<u64, Refusal>>,
{
    timeout(Duration::from_millis(500), operation(remote)).await?
}

/// Three limits, a retry between each two.
pub(super) async fn nested<'r, F>(
    remote: &'r Remote,
    operation: impl Fn(&'r Remote) -> F + Copy,
) -> Result<u64, Refusal>
where
    F: Future<Output = Result<u64, Refusal>>,
{
    let step = || async { timeout(Duration::from_secs(2), retry(|| bounded(remote, operation))).await? };
    timeout(Duration::from_secs(6), retry(step)).await?
}

/// What a hand loop that tells how it ended returns.
#[expect(
    dead_code,
    reason = "what a caller would read; here the cost of making it counts"
)]
pub(super) struct Told {
    last: Refusal,
    attempts: u32,
    exhausted: bool,
    elapsed: Duration,
}

/// As [`retry`], telling how it ended.
pub(super) async fn retry_told<T, Fut>(mut operation: impl FnMut() -> Fut) -> Result<T, Told>
where
    Fut: Future<Output = Result<T, Refusal>>,
{
    let mut attempt = 1;
    let mut started = None;
    loop {
        match operation().await {
            Ok(value) => return Ok(value),
            Err(last) if attempt == 3 || !last.is_transient() => {
                let elapsed = started.map_or(Duration::ZERO, |at: tokio::time::Instant| at.elapsed());
                return Err(Told {
                    last,
                    attempts: attempt,
                    exhausted: last.is_transient(),
                    elapsed,
                });
            }
            Err(_) => {
                started.get_or_insert_with(tokio::time::Instant::now);
                tokio::time::sleep(jittered(attempt)).await;
                attempt += 1;
            }
        }
    }
}

/// As [`retry_fixed`], but a wait of zero takes no timer.
pub(super) async fn retry_skipping<T, Fut>(
    wait: Duration,
    mut operation: impl FnMut() -> Fut,
) -> Result<T, Refusal>
where
    Fut: Future<Output = Result<T, Refusal>>,
{
    let mut attempt = 1;
    loop {
        match operation().await {
            Ok(value) => return Ok(value),
            Err(error) if attempt == 3 || !error.is_transient() => return Err(error),
            Err(_) => {
                if !wait.is_zero() {
                    tokio::time::sleep(wait).await;
                }
                attempt += 1;
            }
        }
    }
}

/// At most `attempts` attempts and a predicate, without a wait.
pub(super) async fn retry_at_once<T, Fut>(
    attempts: u32,
    mut operation: impl FnMut() -> Fut,
) -> Result<T, Refusal>
where
    Fut: Future<Output = Result<T, Refusal>>,
{
    let mut attempt = 1;
    loop {
        match operation().await {
            Ok(value) => return Ok(value),
            Err(error) if attempt == attempts || !error.is_transient() => return Err(error),
            Err(_) => attempt += 1,
        }
    }
}
