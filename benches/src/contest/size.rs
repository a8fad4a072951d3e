//! How large a run is around an operation of a kilobyte: what a policy adds to it.

use super::by_hand;
use super::ours;
use crate::case;
use crate::case::{Discipline, Drive};
use crate::operation::Remote;

/// The policies of this discipline, whose layouts are told.
pub const POLICIES: [(&str, &str); 5] = [
    ("retry-plan run, no limit", "Plain"),
    ("retry-plan run, one attempt, no retry", "One"),
    ("retry-plan run, one limit", "Bounded"),
    ("retry-plan run, three limits", "Limits"),
    ("retry-plan run, hedge of two", "Hedged"),
];

/// Where a policy stands, as the compiler names what it was expanded to.
#[must_use]
pub fn place_of(policy: &str) -> Option<String> {
    let source = include_str!("ours.rs");
    let named = source
        .lines()
        .position(|line| line.ends_with(&format!(" struct {policy} {{")))?;
    let first = source.lines().take(named).collect::<Vec<_>>();
    let first = first
        .iter()
        .rposition(|line| line.starts_with("retry_policy! {"))?;
    let last = named + source.lines().skip(named).position(|line| line == "}")?;
    Some(format!("src/contest/ours.rs:{}:1: {}:2", first + 1, last + 1))
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
            case!("hand loop, tokio timeout", 0, |remote| {} by_hand::retry(|| by_hand::bounded(remote, Remote::large))),
            case!("retry-plan run, no limit", 0, |remote| {} ours::Plain::run(|_| remote.large())),
            case!("retry-plan run, one attempt, no retry", 0, |remote| {} ours::One::run(|_| remote.large())),
            case!("retry-plan run, one limit", 0, |remote| {} ours::Bounded::run(|_| remote.large())),
            case!("retry-plan run, three limits", 0, |remote| {} ours::Limits::run(|_| remote.large())),
            case!("retry-plan run, hedge of two", 0, |remote| {} ours::Hedged::run(|_| remote.large())),
        ],
    }]
}
