//! How large a run is around an operation of a kilobyte: what a policy adds to it.

use super::by_hand;
use super::ours;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::{Refusal, Remote};
use std::time::Duration;
use tokio::time::timeout;

async fn bounded(remote: &Remote) -> Result<u64, Refusal> {
    timeout(Duration::from_millis(500), remote.large()).await?
}

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![Discipline {
        id: "size",
        title: "An operation of a kilobyte, pending once",
        counted: Drive::Polled,
        timed: Drive::Awaited,
        runs: 2_000,
        cases: vec![
            case!("the operation alone", 0, |remote| {} remote.large()),
            case!("hand loop", 0, |remote| {} by_hand::retry(|| remote.large())),
            case!("hand loop, tokio timeout", 0, |remote| {} by_hand::retry(|| bounded(remote))),
            case!("retry-plan run, no limit", 0, |remote| {} ours::Plain::run(|_| remote.large())),
            case!("retry-plan run, one attempt, no retry", 0, |remote| {} ours::One::run(|_| remote.large())),
            case!("retry-plan run, one limit", 0, |remote| {} ours::Bounded::run(|_| remote.large())),
            case!("retry-plan run, three nested limits", 0, |remote| {} ours::Nested::run(|_| remote.large())),
            case!("retry-plan run, hedge of two", 0, |remote| {} ours::Hedged::run(|_| remote.large())),
        ],
    }]
}
