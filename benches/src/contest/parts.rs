//! The parts that a run is made of, each beside what others use for it.

use super::ours;
use crate::case;
use crate::case::{Discipline, Drive};
use rand::RngExt;
use retry_runtime::{Budget, Scope, rng};
use std::time::Duration;
use tower::retry::budget::{Budget as _, TpsBudget};

const HOUR: Duration = Duration::from_secs(3600);
static BUDGET: Budget = Budget::ratio(0.2, 100);

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![
        Discipline {
            id: "budget-full",
            title: "A request pays into a full budget",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("tower TpsBudget", 0, |_remote| {
                    let budget = TpsBudget::default();
                } async { budget.deposit() }),
                case!("retry-plan Budget", 0, |_remote| {} async { BUDGET.request() }),
            ],
        },
        Discipline {
            id: "jitter",
            title: "One jitter draw",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("rand's thread generator", 0, |_remote| {} async {
                    std::hint::black_box(rand::rng().random_range(Duration::ZERO..=Duration::from_millis(100)));
                }),
                case!("retry-plan rng", 0, |_remote| {} async {
                    std::hint::black_box(Duration::from_nanos(rng::up_to(std::hint::black_box(100_000_000))));
                }),
            ],
        },
        Discipline {
            id: "scope",
            title: "An operation that is pending once, in a task-local scope",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("no scope", 0, |remote| {} remote.yielding()),
                case!("tokio task_local!", 0, |remote| {} LOCAL.scope(1, remote.yielding())),
                case!("retry-plan Scope", 0, |remote| {} Scope::new().run(remote.yielding())),
                case!("retry-plan Scope with a deadline", 0, |remote| {
                    let scope = Scope::new().within(HOUR);
                } scope.clone().run(remote.yielding())),
            ],
        },
        Discipline {
            id: "scope-polls",
            title: "An operation that is pending ten times, in a task-local scope",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("no scope", 0, |remote| {} remote.yielding_ten_times()),
                case!("tokio task_local!", 0, |remote| {} LOCAL.scope(1, remote.yielding_ten_times())),
                case!("retry-plan Scope", 0, |remote| {} Scope::new().run(remote.yielding_ten_times())),
                case!("retry-plan Scope with a deadline", 0, |remote| {
                    let scope = Scope::new().within(HOUR);
                } scope.clone().run(remote.yielding_ten_times())),
            ],
        },
        Discipline {
            id: "scope-nested",
            title: "A policy that doesn't wait, run inside of a scope",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 20_000,
            cases: vec![
                case!("no policy in the scope", 0, |remote| {
                    let scope = Scope::new().within(HOUR);
                } scope.clone().run(remote.ready())),
                case!("retry-plan run, no scope", 0, |remote| {} ours::Bounded::run(|_| remote.ready())),
                case!("retry-plan run, in a scope without a deadline", 0, |remote| {} {
                    Scope::new().run(ours::Bounded::run(|_| remote.ready()))
                }),
                case!("retry-plan run, in a scope with a deadline", 0, |remote| {
                    let scope = Scope::new().within(HOUR);
                } scope.clone().run(ours::Bounded::run(|_| remote.ready()))),
            ],
        },
    ]
}

tokio::task_local! {
    static LOCAL: u64;
}
