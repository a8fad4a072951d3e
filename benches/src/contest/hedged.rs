//! Hedges: a second copy that isn't needed, and one that is.

use super::middleware::Always;
use super::ours;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::{Refusal, Remote};
use std::time::Duration;
use tower::Service;

// Short, since tower looks its wait up in a histogram, which takes longer for longer waits.
const AFTER: Duration = Duration::from_millis(1);

/// Select by hand: the second copy starts once `after` has passed.
async fn by_hand<F>(after: Duration, copy: impl Fn() -> F) -> Result<u64, Refusal>
where
    F: Future<Output = Result<u64, Refusal>>,
{
    let mut first = std::pin::pin!(copy());
    tokio::select! {
        biased;
        value = &mut first => return value,
        () = tokio::time::sleep(after) => {}
    }
    let second = std::pin::pin!(copy());
    tokio::select! {
        biased;
        value = first => value,
        value = second => value,
    }
}

/// tower's hedge waits as long as past calls took: here it is told that they took `after`, and asked for their maximum.
fn tower<'a, F>(
    after: Duration,
    copy: impl Fn(&'a Remote) -> F + Clone + 'a,
    remote: &'a Remote,
) -> impl Service<(), Response = u64, Error = tower::BoxError> + 'a
where
    F: Future<Output = Result<u64, Refusal>> + 'a,
{
    let latency = u64::try_from(after.as_millis()).expect("a short wait");
    tower::hedge::Hedge::new_with_mock_latencies(
        tower::service_fn(move |()| copy(remote)),
        Always,
        1,
        1.0,
        Duration::from_secs(3600),
        &[latency],
    )
}

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![
        Discipline {
            id: "hedge-ready",
            title: "Hedge not launched, the first copy answers at once",
            counted: Drive::Polled,
            timed: Drive::Polled,
            runs: 5_000,
            cases: vec![
                case!("select by hand", 0, |remote| {} by_hand(AFTER, || remote.ready())),
                case!("tower hedge", 0, |remote| {
            let mut service = tower(AFTER, Remote::ready, remote);
        } service.call(())),
                case!("retry-plan run", 0, |remote| {} ours::Hedged::run(|_| remote.ready())),
                case!("retry-plan run, each copy bounded", 0, |remote| {} ours::HedgedBounded::run(|_| remote.ready())),
            ],
        },
        Discipline {
            id: "hedge-pending",
            title: "Hedge not launched, the first copy is pending once",
            counted: Drive::Polled,
            timed: Drive::Idle,
            runs: 2_000,
            cases: vec![
                case!("select by hand", 0, |remote| {} by_hand(AFTER, || remote.yielding())),
                case!("tower hedge", 0, |remote| {
            let mut service = tower(AFTER, Remote::yielding, remote);
        } service.call(())),
                case!("retry-plan run", 0, |remote| {} ours::Hedged::run(|_| remote.yielding())),
                case!("retry-plan run, each copy bounded", 0, |remote| {} ours::HedgedBounded::run(|_| remote.yielding())),
            ],
        },
        Discipline {
            id: "hedge-launched",
            title: "Hedge launched after 1 ms, the first copy hangs",
            counted: Drive::Awaited,
            timed: Drive::Awaited,
            runs: 30,
            cases: vec![
                case!("select by hand", 1, |remote| {} by_hand(AFTER, || remote.first_hangs())),
                case!("a sleep of 1 ms and nothing else", 1, |remote| {} async {
                    tokio::time::sleep(AFTER).await;
                    remote.ready().await
                }),
                case!("tower hedge", 1, |remote| {
            let mut service = tower(AFTER, Remote::first_hangs, remote);
        } service.call(())),
                case!("retry-plan run", 1, |remote| {} ours::Hedged::run(|_| remote.first_hangs())),
                case!("retry-plan run, each copy bounded", 1, |remote| {} ours::HedgedBounded::run(|_| remote.first_hangs())),
            ],
        },
    ]
}
