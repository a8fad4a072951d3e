//! Success at the first try: what a policy costs when nothing goes wrong.

use super::by_hand;
use super::middleware::Attempts;
use super::ours;
use super::peers;
use crate::case;
use crate::case::{Discipline, Drive};
use retry_plan::retry_policy;
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
            case!("tokio-retry", 0, |remote| {} peers::tokio_retry(|| remote.ready())),
            case!("tokio-retry, of a body", 0, |remote| {} peers::tokio_retry(|| async { remote.ready().await })),
            case!("tokio-retry2", 0, |remote| {} peers::tokio_retry2(
                || async { remote.ready().await.map_err(peers::classified) }
            )),
            case!("tryhard (no predicate, no jitter)", 0, |remote| {} peers::tryhard(|| remote.ready())),
            case!("backon", 0, |remote| {} peers::backon(|| remote.ready())),
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
