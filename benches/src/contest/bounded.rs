//! Success at the first try with a bound on each attempt that never acts: what a limit costs when nothing is pending.

use super::by_hand;
use super::middleware::Attempts;
use super::ours;
use super::peers;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::{Refusal, Remote};
use std::time::Duration;
use tower::Service;

const BOUND: Duration = Duration::from_millis(500);

fn bounded(remote: &Remote) -> impl Future<Output = Result<u64, Refusal>> {
    by_hand::bounded(remote, Remote::ready)
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
                case!("tokio-retry, tokio timeout", 0, |remote| {} peers::tokio_retry(|| bounded(remote))),
                case!("tokio-retry2, tokio timeout", 0, |remote| {} peers::tokio_retry2(
                    || async { bounded(remote).await.map_err(peers::classified) }
                )),
                case!("tryhard, tokio timeout", 0, |remote| {} peers::tryhard(|| bounded(remote))),
                case!("backon, tokio timeout", 0, |remote| {} peers::backon(|| bounded(remote))),
                case!("tower retry and timeout", 0, |remote| {
            let inner = tower::timeout::Timeout::new(tower::service_fn(|()| remote.ready()), BOUND);
            let mut service = tower::retry::Retry::new(Attempts::jittered(), inner);
        } service.call(())),
                case!("retry-plan #[retry]", 0, |remote| {} ours::bounded(remote)),
                case!("retry-plan run", 0, |remote| {} ours::Bounded::run(|_| remote.ready())),
                case!("retry-plan run_detailed", 0, |remote| {} ours::Bounded::run_detailed(|_| remote.ready())),
                case!("retry-plan in place", 0, |remote| {} ours::bounded_in_place(remote)),
                case!("retry-plan #[retry], no predicate", 0, |remote| {} ours::bounded_plain(remote)),
                case!("retry-plan run, no predicate", 0, |remote| {} ours::BoundedPlain::run(|_| remote.ready())),
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
                case!("tokio timeouts around hand loops", 0, |remote| {} by_hand::nested(remote, Remote::ready)),
                case!("retry-plan run", 0, |remote| {} ours::Nested::run(|_| remote.ready())),
            ],
        },
    ]
}
