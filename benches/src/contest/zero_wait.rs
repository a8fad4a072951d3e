//! Two failures, then success, with waits of zero: whether a policy takes a timer where none is needed.

use super::by_hand;
use super::middleware::Attempts;
use super::ours;
use super::peers;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::Refusal;
use backon::Retryable;
use std::time::Duration;
use tower::Service;

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![
        Discipline {
            id: "zero-wait",
            title: "Two failures with zero wait, taking no timer",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("hand loop that skips zero waits", 2, |remote| {} by_hand::retry_skipping(
                    std::hint::black_box(Duration::ZERO),
                    || remote.ready(),
                )),
                case!("retry-plan #[retry], budget", 2, |remote| {} ours::paid_at_once(remote)),
                case!("retry-plan run, budget", 2, |remote| {} ours::PaidAtOnce::run(|_| remote.ready())),
                case!("retry-plan #[retry]", 2, |remote| {} ours::at_once(remote)),
                case!("retry-plan run", 2, |remote| {} ours::AtOnce::run(|_| remote.ready())),
                case!("retry-plan run_detailed", 2, |remote| {} ours::AtOnce::run_detailed(|_| remote.ready())),
            ],
        },
        Discipline {
            id: "zero-wait-timer",
            title: "Two failures with zero wait, in a runtime",
            counted: Drive::Awaited,
            timed: Drive::Awaited,
            runs: 30,
            cases: vec![
                case!("hand loop that skips zero waits", 2, |remote| {} by_hand::retry_skipping(
                    std::hint::black_box(Duration::ZERO),
                    || remote.ready(),
                )),
                case!("hand loop", 2, |remote| {} by_hand::retry_fixed(
                    std::hint::black_box(Duration::ZERO),
                    || remote.ready(),
                )),
                case!("tokio-retry", 2, |remote| {} tokio_retry::RetryIf::start(
                    tokio_retry::strategy::FixedInterval::new(Duration::ZERO).take(2),
                    || remote.ready(),
                    Refusal::is_transient,
                )),
                case!("tokio-retry2", 2, |remote| {} tokio_retry2::Retry::spawn(
                    tokio_retry2::strategy::FixedInterval::new(Duration::ZERO).take(2),
                    || async { remote.ready().await.map_err(peers::classified) },
                )),
                case!("tryhard (no predicate)", 2, |remote| {} tryhard::retry_fn(|| remote.ready()).retries(2).no_backoff()),
                case!("backon", 2, |remote| {}(|| remote.ready())
                    .retry(
                        backon::ConstantBuilder::default()
                            .with_delay(Duration::ZERO)
                            .with_max_times(2)
                    )
                    .when(Refusal::is_transient)),
                case!("tower retry, no budget", 2, |remote| {
            let mut service =
                tower::retry::Retry::new(Attempts::fixed(Duration::ZERO), tower::service_fn(|()| remote.ready()));
        } service.call(())),
                case!("tower retry, TpsBudget", 2, |remote| {
            let policy = Attempts::fixed(Duration::ZERO).with_budget();
            let mut service = tower::retry::Retry::new(policy, tower::service_fn(|()| remote.ready()));
        } service.call(())),
                case!("retry-plan run, budget", 2, |remote| {} ours::PaidAtOnce::run(|_| remote.ready())),
                case!("retry-plan run", 2, |remote| {} ours::AtOnce::run(|_| remote.ready())),
            ],
        },
    ]
}
