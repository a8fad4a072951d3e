//! The worst case, piece by piece: everything fails as late as it may, every wait is as long as it may be.

use alloc::vec::Vec;
use core::time::Duration;

use super::table::Table;
use crate::amount::{NONE, add, bounded, duration, least, most, nanos, sub};
use crate::tree::Kind;

/// What happens in a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A call of the operation.
    Call,
    /// The wait before this attempt of a retry, counted from 1.
    Wait(u32),
}

/// A piece of the worst case, on the policy's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The leaf that is called, or the retry that waits.
    pub node: usize,
    /// What happens.
    pub what: What,
    /// Which attempt or copy of the nearest repeat around it this is, counted from 1.
    pub number: u32,
    /// When it begins.
    pub start: Duration,
    /// When it would end; `None` where nothing says.
    pub end: Option<Duration>,
    /// When a limit ends it before.
    pub cut: Option<Duration>,
}

/// A node that is under way.
struct Open {
    node: usize,
    start: u128,
    /// The earliest limit around its children.
    end: u128,
    /// The number of the attempt, copy, or the child to come.
    number: u32,
    child: usize,
    /// How far its children have come.
    at: u128,
    /// How many pieces there were when the last child started.
    pieces: usize,
}

pub(super) fn pieces(table: &Table<'_, '_>, left: u128, at_most: usize) -> Vec<Piece> {
    let view = &table.view;
    let mut pieces = Vec::new();
    let mut path: Vec<Open> = Vec::new();
    let mut next = Some((0, 0, left, 1));
    loop {
        if pieces.len() >= at_most {
            return pieces;
        }
        if let Some((node, start, end, number)) = next.take() {
            if view.nodes[node].size == 1 {
                let done = call(table, node, (start, end, number), &mut pieces);
                came_to(path.last_mut(), done);
            } else {
                let own = match view.nodes[node].kind {
                    Kind::Timeout(_) => view.limit(node, true).map_or(NONE, |limit| add(start, limit)),
                    Kind::Deadline(_) => view.limit(node, true).unwrap_or(NONE),
                    _ => NONE,
                };
                path.push(Open {
                    node,
                    start,
                    end: least(end, own),
                    number: 0,
                    child: node + 1,
                    at: start,
                    pieces: pieces.len(),
                });
            }
        }
        let Some(open) = path.last_mut() else {
            return pieces;
        };
        next = following(table, open, &mut pieces);
        if next.is_none() {
            let done = least(open.at, open.end);
            path.pop();
            came_to(path.last_mut(), done);
        }
    }
}

/// A call that takes as long as it may.
fn call(
    table: &Table<'_, '_>,
    node: usize,
    (start, end, number): (u128, u128, u32),
    pieces: &mut Vec<Piece>,
) -> u128 {
    if start >= end {
        return start;
    }
    let own = add(start, table.row(node).figures.whole);
    pieces.push(Piece {
        node,
        what: What::Call,
        number,
        start: duration(start),
        end: bounded(own),
        cut: if own > end { bounded(end) } else { None },
    });
    least(own, end)
}

fn came_to(open: Option<&mut Open>, done: u128) {
    if let Some(open) = open {
        open.at = most(open.at, done);
    }
}

/// The next child to start: its node, its start, the earliest limit around it, and its number.
fn following(
    table: &Table<'_, '_>,
    open: &mut Open,
    pieces: &mut Vec<Piece>,
) -> Option<(usize, u128, u128, u32)> {
    let view = &table.view;
    let first = open.number == 0;
    // A child that brings nothing brings nothing again, however often it starts.
    let idle = !first && pieces.len() == open.pieces;
    open.pieces = pieces.len();
    match view.nodes[open.node].kind {
        Kind::Retry(retry) => {
            if open.number >= view.times(open.node).most || idle || (!first && open.at >= open.end) {
                return None;
            }
            if !first {
                let (_, gap) = retry.gap(open.number);
                let until = add(open.at, gap.map_or(NONE, nanos));
                let needs = table.row(open.node).inner;
                // A repeat that could not succeed isn't started, nor its wait (rules 4 and 20).
                if until >= open.end || add(until, needs.time) > open.end || until > needs.start_by {
                    return None;
                }
                if until > open.at {
                    pieces.push(Piece {
                        node: open.node,
                        what: What::Wait(open.number + 1),
                        number: open.number,
                        start: duration(open.at),
                        end: bounded(until),
                        cut: None,
                    });
                }
                open.at = until;
            }
            open.number += 1;
            Some((open.node + 1, open.at, open.end, open.number))
        }
        Kind::Hedge(hedge) => {
            let start = add(
                open.start,
                nanos(hedge.after.hi).saturating_mul(open.number.into()),
            );
            let ended = !first && start >= open.at;
            if open.number >= view.times(open.node).most || start >= open.end || ended || idle {
                return None;
            }
            open.number += 1;
            Some((open.node + 1, start, open.end, open.number))
        }
        kind => {
            let child = open.child;
            if child >= view.end(open.node) {
                return None;
            }
            open.child = view.end(child);
            open.number += 1;
            let one_by_one = matches!(kind, Kind::Series | Kind::Fallback);
            let start = if one_by_one { open.at } else { open.start };
            if sub(open.end, start) == 0 {
                return None;
            }
            Some((child, start, open.end, 1))
        }
    }
}
