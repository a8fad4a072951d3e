//! Success at the first try: what a policy costs when nothing goes wrong.

use super::by_hand;
use super::middleware::Attempts;
use super::ours;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::Refusal;
use backon::Retryable;
use retry_plan::retry_policy;
use std::time::Duration;
use tower::Service;

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![Discipline {
        id: "first-try",
        title: "Success at the first try",
        counted: Drive::Polled,
        timed: Drive::Polled,
        runs: 20_000,
        cases: vec![
            case!("hand loop", 0, |remote| {} by_hand::retry(|| remote.ready())),
            case!("hand loop that tells how it ended", 0, |remote| {} by_hand::retry_told(|| remote.ready())),
            case!("tokio-retry", 0, |remote| {} tokio_retry::RetryIf::start(
                tokio_retry::strategy::ExponentialBackoff::from_millis(2)
                    .factor(50)
                    .max_delay(Duration::from_secs(1))
                    .map(tokio_retry::strategy::jitter)
                    .take(2),
                || remote.ready(),
                Refusal::is_transient,
            )),
            case!("tokio-retry2", 0, |remote| {} tokio_retry2::Retry::spawn(
                tokio_retry2::strategy::ExponentialBackoff::from_millis(2)
                    .factor(50)
                    .max_delay(Duration::from_secs(1))
                    .map(tokio_retry2::strategy::jitter)
                    .take(2),
                || async { remote.ready().await.map_err(classified) },
            )),
            case!("tryhard (no predicate, no jitter)", 0, |remote| {} tryhard::retry_fn(|| remote.ready())
            .retries(2)
            .exponential_backoff(Duration::from_millis(100))
            .max_delay(Duration::from_secs(1))),
            case!("backon", 0, |remote| {}(|| remote.ready())
                .retry(
                    backon::ExponentialBuilder::default()
                        .with_min_delay(Duration::from_millis(100))
                        .with_max_delay(Duration::from_secs(1))
                        .with_max_times(2)
                        .with_jitter(),
                )
                .when(Refusal::is_transient)),
            case!("tower retry, no budget", 0, |remote| {
            let mut service = tower::retry::Retry::new(Attempts::jittered(), tower::service_fn(|()| remote.ready()));
        } service.call(())),
            case!("tower retry, TpsBudget", 0, |remote| {
            let policy = Attempts::jittered().with_budget();
            let mut service = tower::retry::Retry::new(policy, tower::service_fn(|()| remote.ready()));
        } service.call(())),
            case!("retry-plan #[retry], budget", 0, |remote| {} ours::paid(remote)),
            case!("retry-plan run, budget", 0, |remote| {} ours::Paid::run(|_| remote.ready())),
            case!("retry-plan run_detailed, budget", 0, |remote| {} ours::Paid::run_detailed(|_| remote.ready())),
            case!("retry-plan in place, budget", 0, |remote| {} ours::paid_in_place(remote)),
            case!("retry-plan in place, a named policy, budget", 0, |remote| {} retry_policy!(
                ours::Paid,
                async |_| remote.ready().await
            )),
            case!("retry-plan #[retry]", 0, |remote| {} ours::plain(remote)),
            case!("retry-plan run", 0, |remote| {} ours::Plain::run(|_| remote.ready())),
            case!("retry-plan run_detailed", 0, |remote| {} ours::Plain::run_detailed(|_| remote.ready())),
            case!("the operation alone", 0, |remote| {} remote.ready()),
        ],
    }]
}

/// The predicate, as tokio-retry2 wants it.
pub(super) fn classified(error: Refusal) -> tokio_retry2::RetryError<Refusal> {
    if error.is_transient() {
        tokio_retry2::RetryError::transient(error)
    } else {
        tokio_retry2::RetryError::permanent(error)
    }
}
