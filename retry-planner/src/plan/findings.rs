//! What the planner has to say about one node (rules 16 to 26).

use super::figures::Row;
use super::table::{Table, endless};
use super::view::View;
use super::walk::walk;
use crate::amount::{NONE, add, beyond, mul, nanos, sub};
use crate::lint::{Level, Lint};
use crate::tree::{Backoff, Kind};

/// A finding: what it is, where, and the figures that show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) lint: Lint,
    pub(crate) node: usize,
    /// The limit that takes part, or another node.
    pub(crate) by: usize,
    /// What is needed.
    pub(crate) need: u128,
    /// What there is.
    pub(crate) have: u128,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "each rule ends with a finding or without one"
)]
const fn found(lint: Lint, node: usize, by: usize, need: u128, have: u128) -> Option<Found> {
    Some(Found {
        lint,
        node,
        by,
        need,
        have,
    })
}

/// The finding of that name at `node`, if there is one.
pub(crate) const fn find(table: &Table<'_, '_>, lint: Lint, node: usize) -> Option<Found> {
    match lint {
        Lint::Impossible => impossible(table, node),
        Lint::Unreachable => unreachable(table, node),
        Lint::NeverFires => never_fires(table, node),
        Lint::CannotFit => cannot_fit(table, node),
        Lint::RetryBudgetExceeded => budget_exceeded(table, node),
        // Only a run knows what its budgets have left, and an `#[expect]` is told of where it is written: `Judged` does.
        Lint::RetryBudgetUnverified | Lint::UnfulfilledExpect => None,
        Lint::Unbounded => match endless(table) {
            Some(first) if first == node && !table.follows(node) => found(lint, node, node, 0, 0),
            _ => None,
        },
        Lint::NoAttemptTimeout => no_attempt_timeout(table, node),
        Lint::RetryUnsafe => unsafe_repeat(table, node, false),
        Lint::HedgeUnsafe => unsafe_repeat(table, node, true),
        Lint::HotLoop => hot_loop(&table.view, node),
        Lint::Amplification => amplification(table, node),
        Lint::Overflow => overflow(table, node),
        Lint::NoJitter => no_jitter(&table.view, node),
        Lint::NoCap => no_cap(&table.view, node),
        Lint::UselessHedge => useless_hedge(table, node),
        Lint::NoDeadline => no_deadline(table, node),
        Lint::TooManyAttempts => match table.view.nodes[node].kind {
            Kind::Retry(_) if table.view.times(node).most > 5 => {
                found(lint, node, node, table.view.times(node).told(), 5)
            }
            _ => None,
        },
        Lint::IgnoresRetryAfter => match table.view.nodes[node].kind {
            Kind::Retry(retry) if table.repeats(node) && retry.hint.is_none() => {
                found(lint, node, node, 0, 0)
            }
            _ => None,
        },
        Lint::RetriesClientErrors => match table.view.nodes[node].kind {
            Kind::Retry(retry) if table.repeats(node) && !retry.when => found(lint, node, node, 0, 0),
            _ => None,
        },
    }
}

const fn is_limit(view: &View<'_>, node: usize) -> bool {
    matches!(view.nodes[node].kind, Kind::Timeout(_) | Kind::Deadline(_))
}

/// Whether even the fastest success inside a limit ends after it, without regard to what is further in.
pub(super) const fn too_slow(view: &View<'_>, row: &Row, node: usize) -> Option<Found> {
    let Some(limit) = view.limit(node, true) else {
        return None;
    };
    let (start, best) = (row.start, row.figures.best);
    if start.lo == NONE {
        return None;
    }
    let left = if matches!(view.nodes[node].kind, Kind::Deadline(_)) {
        sub(limit, start.lo)
    } else {
        limit
    };
    // A deadline that has passed lets nothing start.
    if best != NONE && (best > left || left == 0) {
        found(Lint::Impossible, node, node, best, left)
    } else {
        None
    }
}

const fn impossible(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    if !table.entry(node).too_slow || table.too_slow_inside(node) {
        return None;
    }
    too_slow(&table.view, table.row(node), node)
}

pub(super) const fn unreachable(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    if table.follows(node) || !table.starts(node) {
        return None;
    }
    let (view, row) = (&table.view, table.row(node));
    let (start, times) = (row.start, view.times(node));
    let repeats = matches!(view.nodes[node].kind, Kind::Retry(_) | Kind::Hedge(_)) && times.exact;
    // Of a count that is known within bounds, the least has to start (rule 25).
    let all = times.least as u128;
    if repeats && row.by_clock < all && start.lo <= row.inner.start_by {
        let by = deadline_inside(table, node);
        let have = sub(row.inner.start_by, start.lo);
        return found(Lint::Unreachable, node, by, row.by_clock + 1, have);
    }
    if start.left == NONE {
        return None;
    }
    if repeats && start.left > 0 && row.by_left < all {
        return found(Lint::Unreachable, node, start.by, row.by_left + 1, start.left);
    }
    // A step or branch that starts when nothing is left; told of the outermost node that can't start.
    match table.parent(node) {
        Some(parent) if start.left == 0 && table.row(parent).start.inside(view, parent).left > 0 => {
            found(Lint::Unreachable, node, start.by, 0, 0)
        }
        _ => None,
    }
}

/// The deadline inside a repeat that its later attempts could only miss.
const fn deadline_inside(table: &Table<'_, '_>, node: usize) -> usize {
    let mut first = usize::MAX;
    let mut inside = node + 1;
    while inside < table.view.end(node) {
        if matches!(table.view.nodes[inside].kind, Kind::Deadline(_)) {
            if table.row(inside).inner.start_by == table.row(node).inner.start_by {
                return inside;
            }
            if first == usize::MAX {
                first = inside;
            }
        }
        inside += 1;
    }
    first
}

pub(super) const fn never_fires(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    let Some(limit) = table.view.limit(node, false) else {
        return None;
    };
    let start = table.row(node).start;
    if start.left == NONE || start.left == 0 || !table.starts(node) || table.follows(node) {
        return None;
    }
    let beaten = if matches!(table.view.nodes[node].kind, Kind::Deadline(_)) {
        limit > start.end
    } else {
        limit > start.left
    };
    let booked = start.by < table.view.nodes.len() && table.entry(start.by).unreachable;
    if beaten && !booked {
        found(Lint::NeverFires, node, start.by, limit, start.left)
    } else {
        None
    }
}

const fn cannot_fit(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    if !is_limit(&table.view, node) {
        return None;
    }
    let Some(limit) = table.view.limit(node, false) else {
        return None;
    };
    let entry = table.entry(node);
    if table.follows(node) || entry.unreachable || entry.never_fires || !table.starts(node) {
        return None;
    }
    let without = table.without(node);
    // An enclosing limit that always ends first is the one to overrun.
    let have = if matches!(table.view.nodes[node].kind, Kind::Deadline(_)) {
        if limit >= without.end {
            return None;
        }
        if without.hi == NONE {
            limit
        } else {
            sub(limit, without.hi)
        }
    } else {
        if limit >= entry.start().left {
            return None;
        }
        limit
    };
    if without.worst == NONE || without.worst <= have {
        return None;
    }
    found(Lint::CannotFit, node, node, without.worst, have)
}

const fn no_attempt_timeout(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    let Kind::Attempt(attempt) = table.view.nodes[node].kind else {
        return None;
    };
    if attempt.bound.is_some() || attempt.takes.is_some() {
        return None;
    }
    let view = &table.view;
    let mut at = node;
    while let Some(around) = table.parent(at) {
        let takes_all = match view.nodes[around].kind {
            Kind::Timeout(_) => return None,
            Kind::Retry(_) | Kind::Hedge(_) => view.times(around).most > 1,
            Kind::Fallback => view.end(at) < view.end(around),
            _ => false,
        };
        if takes_all {
            return if table.row(around).start.left == NONE {
                None
            } else {
                found(Lint::NoAttemptTimeout, node, around, 0, 0)
            };
        }
        at = around;
    }
    None
}

const fn unsafe_repeat(table: &Table<'_, '_>, node: usize, hedge: bool) -> Option<Found> {
    let unsafe_here = match table.view.nodes[node].kind {
        Kind::Attempt(attempt) => !attempt.idempotent && !attempt.key,
        Kind::Call(callee) => callee.unsafe_to_repeat,
        _ => false,
    };
    if !unsafe_here {
        return None;
    }
    let lint = if hedge {
        Lint::HedgeUnsafe
    } else {
        Lint::RetryUnsafe
    };
    let mut at = node;
    while let Some(around) = table.parent(at) {
        let repeats = match table.view.nodes[around].kind {
            Kind::Retry(_) => !hedge,
            Kind::Hedge(_) => hedge,
            _ => false,
        };
        if repeats && table.repeats(around) {
            return found(lint, node, around, 0, 0);
        }
        at = around;
    }
    None
}

const fn hot_loop(view: &View<'_>, node: usize) -> Option<Found> {
    let Kind::Retry(retry) = view.nodes[node].kind else {
        return None;
    };
    let times = view.times(node);
    let waits = retry.high_waits().total(times.most.saturating_sub(1));
    if times.most > 3 && waits == 0 && retry.hint.is_none() {
        found(Lint::HotLoop, node, node, times.told(), 0)
    } else {
        None
    }
}

/// The most calls of a leaf from one run, where two or more repeaters multiply; told of the outermost.
const fn amplification(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    if table.entry(node).outermost != node {
        return None;
    }
    let mut leaf = node + 1;
    while leaf < table.view.end(node) {
        if table.view.nodes[leaf].size == 1 {
            let entry = table.entry(leaf);
            let own = table.row(leaf).leaf;
            let calls = mul(entry.product, own.calls);
            if entry.unpaid + own.unpaid >= 2 && calls > 10 {
                return found(Lint::Amplification, node, leaf, calls, 10);
            }
        }
        leaf += 1;
    }
    None
}

/// Figures that no `Duration` or count holds, and more budgets than callers could be told of.
const fn overflow(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    if node != 0 {
        return None;
    }
    let all = table.row(0).figures;
    let calls = all.calls != NONE && all.calls > u64::MAX as u128;
    let work = beyond(all.work);
    if beyond(all.worst) || beyond(all.best) || calls || work {
        return found(Lint::Overflow, 0, 0, all.worst, 0);
    }
    if super::budget::more_than_told(&table.view) {
        return found(Lint::Overflow, 0, 0, 0, super::budget::TOLD as u128);
    }
    None
}

const fn no_jitter(view: &View<'_>, node: usize) -> Option<Found> {
    let Kind::Retry(retry) = view.nodes[node].kind else {
        return None;
    };
    let plain = matches!(retry.backoff, Backoff::Fixed(_) | Backoff::Schedule { .. });
    let again = view.times(node).most.saturating_sub(1);
    if plain && retry.jitter.is_none() && retry.high_waits().total(again) > 0 {
        found(Lint::NoJitter, node, node, 0, 0)
    } else {
        None
    }
}

const fn no_cap(view: &View<'_>, node: usize) -> Option<Found> {
    let Kind::Retry(retry) = view.nodes[node].kind else {
        return None;
    };
    let reached = view.times(node).most > 4;
    if reached && retry.backoff.grows() && retry.backoff.max().is_none() {
        let wait = retry.high_waits().wait(view.times(node).most - 1);
        found(Lint::NoCap, node, node, wait, 0)
    } else {
        None
    }
}

const fn useless_hedge(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    let Kind::Hedge(hedge) = table.view.nodes[node].kind else {
        return None;
    };
    let worst = table.row(node + 1).figures.worst;
    let after = nanos(hedge.after.lo);
    if worst != NONE && after >= worst {
        found(Lint::UselessHedge, node, node, after, worst)
    } else {
        None
    }
}

const fn budget_exceeded(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    let Some((key, limit)) = table.view.grants(node, false) else {
        return None;
    };
    let start = table.row(node).start.inside(&table.view, node);
    let demand = walk(&table.view.of_key(key), node + 1, start).asked.units;
    if demand > limit {
        found(Lint::RetryBudgetExceeded, node, node, demand, limit)
    } else {
        None
    }
}

/// Whether an `#[expect]` stands on the node, of what isn't found at it or inside it.
///
/// Levels are inherited, so an `expect` stands where the level does and the parent's doesn't.
pub(super) const fn unfulfilled(table: &Table<'_, '_>, lint: Lint, node: usize) -> bool {
    let here = matches!(table.view.nodes[node].levels.get(lint), Level::Expect);
    let around = match table.parent(node) {
        Some(parent) => matches!(table.view.nodes[parent].levels.get(lint), Level::Expect),
        None => false,
    };
    if !here || around || matches!(lint, Lint::UnfulfilledExpect) {
        return false;
    }
    let mut inside = node;
    while inside < table.view.end(node) {
        if find(table, lint, inside).is_some() {
            return false;
        }
        inside += 1;
    }
    true
}

/// Whether something repeats, or an operation runs, without any limit around it.
const fn no_deadline(table: &Table<'_, '_>, node: usize) -> Option<Found> {
    if node != 0 {
        return None;
    }
    let mut at = 0;
    while at < table.view.nodes.len() {
        let matters = table.repeats(at) || table.view.nodes[at].size == 1;
        if matters && table.row(at).start.left == NONE {
            return found(Lint::NoDeadline, 0, at, 0, 0);
        }
        at += 1;
    }
    None
}

/// What the worst case inside a limit needs, from its latest start, with that limit removed; a deadline counts from the start
/// of the policy.
pub(crate) const fn needed_by(table: &Table<'_, '_>, limit: usize) -> u128 {
    let without = table.without(limit);
    if matches!(table.view.nodes[limit].kind, Kind::Deadline(_)) {
        add(without.hi, without.worst)
    } else {
        without.worst
    }
}
