//! Success at the first try with a bound on each attempt that never acts: what a limit costs when nothing is pending.

use super::by_hand;
use super::first_try::classified;
use super::middleware::Attempts;
use super::ours;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::{Refusal, Remote};
use backon::Retryable;
use std::time::Duration;
use tokio::time::timeout;
use tower::Service;

const BOUND: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_secs(2);
const WHOLE: Duration = Duration::from_secs(6);

async fn bounded(remote: &Remote) -> Result<u64, Refusal> {
    timeout(BOUND, remote.ready()).await?
}

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![
        Discipline {
            id: "bounded",
            title: "Success at the first try, each attempt bounded",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("hand loop, tokio timeout", 0, |remote| {} by_hand::retry(|| bounded(remote))),
                case!("one attempt, tokio timeout, no retry", 0, |remote| {} bounded(remote)),
                case!("tokio-retry, tokio timeout", 0, |remote| {} tokio_retry::RetryIf::start(
                    tokio_retry::strategy::ExponentialBackoff::from_millis(2)
                        .factor(50)
                        .max_delay(Duration::from_secs(1))
                        .map(tokio_retry::strategy::jitter)
                        .take(2),
                    || bounded(remote),
                    Refusal::is_transient,
                )),
                case!("tokio-retry2, tokio timeout", 0, |remote| {} tokio_retry2::Retry::spawn(
                    tokio_retry2::strategy::ExponentialBackoff::from_millis(2)
                        .factor(50)
                        .max_delay(Duration::from_secs(1))
                        .map(tokio_retry2::strategy::jitter)
                        .take(2),
                    || async { bounded(remote).await.map_err(classified) },
                )),
                case!("tryhard, tokio timeout", 0, |remote| {} tryhard::retry_fn(|| bounded(remote))
            .retries(2)
            .exponential_backoff(Duration::from_millis(100))
            .max_delay(Duration::from_secs(1))),
                case!("backon, tokio timeout", 0, |remote| {}(|| bounded(remote))
                    .retry(
                        backon::ExponentialBuilder::default()
                            .with_min_delay(Duration::from_millis(100))
                            .with_max_delay(Duration::from_secs(1))
                            .with_max_times(2)
                            .with_jitter(),
                    )
                    .when(Refusal::is_transient)),
                case!("tower retry and timeout", 0, |remote| {
            let inner = tower::timeout::Timeout::new(tower::service_fn(|()| remote.ready()), BOUND);
            let mut service = tower::retry::Retry::new(Attempts::jittered(), inner);
        } service.call(())),
                case!("retry-plan #[retry]", 0, |remote| {} ours::bounded(remote)),
                case!("retry-plan run", 0, |remote| {} ours::Bounded::run(|_| remote.ready())),
                case!("retry-plan run_detailed", 0, |remote| {} ours::Bounded::run_detailed(|_| remote.ready())),
                case!("retry-plan in place", 0, |remote| {} ours::bounded_in_place(remote)),
                case!("retry-plan run, one attempt, no retry", 0, |remote| {} ours::One::run(|_| remote.ready())),
            ],
        },
        Discipline {
            id: "nested",
            title: "Success at the first try, three nested limits",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("tokio timeouts around hand loops", 0, |remote| {} async {
                    timeout(
                        WHOLE,
                        by_hand::retry(|| async { timeout(STEP, by_hand::retry(|| bounded(remote))).await? }),
                    )
                    .await?
                }),
                case!("retry-plan run", 0, |remote| {} ours::Nested::run(|_| remote.ready())),
            ],
        },
    ]
}
