//! Bounded attempts that are pending once: what a limit costs when its timer is armed.

use super::by_hand;
use super::ours;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::{Refusal, Remote};
use std::time::Duration;

fn bounded(remote: &Remote) -> impl Future<Output = Result<u64, Refusal>> {
    by_hand::bounded(remote, Remote::yielding)
}

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![
        Discipline {
            id: "pending",
            title: "One bounded attempt, pending once",
            counted: Drive::Polled,
            timed: Drive::Idle,
            runs: 2_000,
            cases: vec![
                case!("tokio timeout", 0, |remote| {} bounded(remote)),
                case!("no limit", 0, |remote| {} remote.yielding()),
                case!("retry-plan run", 0, |remote| {} ours::One::run(|_| remote.yielding())),
            ],
        },
        Discipline {
            id: "pending-three",
            title: "Three bounded attempts without wait, each pending once",
            counted: Drive::Polled,
            timed: Drive::Idle,
            runs: 2_000,
            cases: vec![
                case!("hand loop, tokio timeout", 2, |remote| {} by_hand::retry_skipping(
                    std::hint::black_box(Duration::ZERO),
                    || bounded(remote),
                )),
                case!("hand loop, no limit", 2, |remote| {} by_hand::retry_skipping(
                    std::hint::black_box(Duration::ZERO),
                    || remote.yielding(),
                )),
                case!("retry-plan #[retry]", 2, |remote| {} ours::bounded_at_once(remote)),
                case!("retry-plan run", 2, |remote| {} ours::BoundedAtOnce::run(|_| remote.yielding())),
                case!("retry-plan run, no predicate", 2, |remote| {} ours::BoundedAtOncePlain::run(|_| remote.yielding())),
            ],
        },
        Discipline {
            id: "pending-nested",
            title: "Three nested limits, pending once",
            counted: Drive::Polled,
            timed: Drive::Idle,
            runs: 2_000,
            cases: vec![
                case!("tokio timeouts around hand loops", 0, |remote| {} by_hand::nested(remote, Remote::yielding)),
                case!("retry-plan run", 0, |remote| {} ours::Nested::run(|_| remote.yielding())),
            ],
        },
        Discipline {
            id: "pending-parallel",
            title: "Four bounded branches in parallel, each pending once",
            counted: Drive::Polled,
            timed: Drive::Idle,
            runs: 2_000,
            cases: vec![
                case!("tokio::try_join! of tokio timeouts", 0, |remote| {} async {
                    tokio::try_join!(bounded(remote), bounded(remote), bounded(remote), bounded(remote))
                }),
                case!("retry-plan run", 0, |remote| {} ours::Four::new()
                .a(|_| remote.yielding())
                .b(|_| remote.yielding())
                .c(|_| remote.yielding())
                .d(|_| remote.yielding())
                .run()),
            ],
        },
    ]
}
