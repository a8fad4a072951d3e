//! What the planner has to say about one node (rules 16 to 26).

use super::figures::{Figures, Start, fastest_end, figures, last_useful, start_of, started};
use super::view::View;
use crate::amount::{NONE, beyond, least, mul, nanos, of_count, sub};
use crate::lint::Lint;
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
pub(crate) const fn find(view: &View<'_>, lint: Lint, node: usize) -> Option<Found> {
    match lint {
        Lint::Impossible => impossible(view, node),
        Lint::Unreachable => unreachable(view, node),
        Lint::NeverFires => never_fires(view, node),
        Lint::CannotFit => cannot_fit(view, node),
        Lint::RetryBudgetExceeded => budget_exceeded(view, node),
        Lint::Unbounded => unbounded(view, node),
        Lint::NoAttemptTimeout => no_attempt_timeout(view, node),
        Lint::RetryUnsafe => unsafe_repeat(view, node, false),
        Lint::HedgeUnsafe => unsafe_repeat(view, node, true),
        Lint::HotLoop => hot_loop(view, node),
        Lint::Amplification => amplification(view, node),
        Lint::Overflow => overflow(view, node),
        Lint::NoJitter => no_jitter(view, node),
        Lint::NoCap => no_cap(view, node),
        Lint::UselessHedge => useless_hedge(view, node),
        Lint::NoDeadline if node == 0 && !limited(view) => found(lint, 0, 0, 0, 0),
        Lint::TooManyAttempts => match view.nodes[node].kind {
            Kind::Retry(_) if view.times(node).most > 5 => {
                found(lint, node, node, view.times(node).most as u128, 5)
            }
            _ => None,
        },
        _ => None,
    }
}

const fn limited(view: &View<'_>) -> bool {
    let mut i = 0;
    while i < view.nodes.len() {
        if matches!(view.nodes[i].kind, Kind::Timeout(_) | Kind::Deadline(_)) {
            return true;
        }
        i += 1;
    }
    false
}

const fn is_limit(view: &View<'_>, node: usize) -> bool {
    matches!(view.nodes[node].kind, Kind::Timeout(_) | Kind::Deadline(_))
}

/// What a limit leaves when its node starts at the earliest, its own time alone.
const fn own(view: &View<'_>, node: usize, start: Start) -> Option<u128> {
    match view.limit(node, true) {
        Some(limit) if matches!(view.nodes[node].kind, Kind::Deadline(_)) => Some(sub(limit, start.lo)),
        limit => limit,
    }
}

/// The fastest success inside a limit.
const fn inner_best(view: &View<'_>, node: usize, start: Start) -> u128 {
    if is_limit(view, node) {
        figures(view, node + 1, start.inside(view, node)).best
    } else {
        figures(view, node, start).best
    }
}

/// Whether even the fastest success inside a limit ends after it, without regard to what is further in.
const fn too_slow(view: &View<'_>, node: usize) -> Option<Found> {
    let start = start_of(view, node);
    let Some(limit) = own(view, node, start) else {
        return None;
    };
    let best = inner_best(view, node, start);
    if best > limit && best != NONE {
        found(Lint::Impossible, node, node, best, limit)
    } else {
        None
    }
}

const fn impossible(view: &View<'_>, node: usize) -> Option<Found> {
    let mut inner = node + 1;
    while inner < view.end(node) {
        if too_slow(view, inner).is_some() {
            return None;
        }
        inner += 1;
    }
    too_slow(view, node)
}

/// Whether a limit inside, around, or in an earlier step makes all of this follow from it.
const fn follows(view: &View<'_>, node: usize) -> bool {
    let mut i = 0;
    while i < view.nodes.len() {
        if too_slow(view, i).is_some() {
            let inside = i >= node && i < view.end(node);
            let around = node >= i && node < view.end(i);
            if inside || around || earlier_step(view, i, node) {
                return true;
            }
        }
        i += 1;
    }
    false
}

/// Whether `first` is in an earlier step of a series that `second` is in, too.
const fn earlier_step(view: &View<'_>, first: usize, second: usize) -> bool {
    let mut i = 0;
    while i < first {
        let both = view.end(i) > first && view.end(i) > second && second > first;
        if both && matches!(view.nodes[i].kind, Kind::Series) {
            let mut child = i + 1;
            while child < view.end(i) {
                let holds = first >= child && first < view.end(child);
                if holds && second >= view.end(child) {
                    return true;
                }
                child = view.end(child);
            }
        }
        i += 1;
    }
    false
}

const fn unreachable(view: &View<'_>, node: usize) -> Option<Found> {
    if follows(view, node) {
        return None;
    }
    let start = start_of(view, node);
    let refused = refused_inside(view, node, start);
    if refused.is_some() || start.left == NONE {
        return refused;
    }
    match view.nodes[node].kind {
        Kind::Retry(_) => {
            let times = view.times(node);
            if !times.exact || start.left == 0 {
                return step(view, node, start);
            }
            let child = figures(view, node + 1, start);
            let can = started(view, node, start, child);
            if can < times.most as u128 {
                found(Lint::Unreachable, node, start.by, can + 1, start.left)
            } else {
                step(view, node, start)
            }
        }
        Kind::Hedge(hedge) => {
            let child = figures(view, node + 1, start);
            let last = least(
                mul((hedge.copies.hi as u128).saturating_sub(1), nanos(hedge.after.lo)),
                child.failure,
            );
            if last >= start.left || last + child.best > start.left && child.best <= start.left {
                found(Lint::Unreachable, node, start.by, 2, start.left)
            } else {
                step(view, node, start)
            }
        }
        _ => step(view, node, start),
    }
}

/// An attempt that could only start when a deadline inside has passed (rules 4 and 20).
const fn refused_inside(view: &View<'_>, node: usize, start: Start) -> Option<Found> {
    let Kind::Retry(retry) = view.nodes[node].kind else {
        return None;
    };
    let useful = last_useful(view, node + 1);
    let times = view.times(node);
    if useful == NONE || !times.exact || start.lo > useful {
        return None;
    }
    let child = figures(view, node + 1, start);
    let again = times.most.saturating_sub(1);
    let fit = retry
        .low_waits()
        .most_within(again, fastest_end(view, node, child), useful - start.lo);
    if fit == again {
        return None;
    }
    let mut by = node + 1;
    while by < view.end(node) {
        if matches!(view.nodes[by].kind, Kind::Deadline(_)) && last_useful(view, by) == useful {
            return found(Lint::Unreachable, node, by, fit as u128 + 2, useful - start.lo);
        }
        by += 1;
    }
    None
}

/// A step or branch that starts when nothing is left.
const fn step(view: &View<'_>, node: usize, start: Start) -> Option<Found> {
    if start.left > 0 || node == 0 {
        return None;
    }
    // Told of the outermost node that can't start.
    let Some(parent) = parent(view, node) else {
        return None;
    };
    if start_of(view, parent).inside(view, parent).left == 0 {
        return None;
    }
    found(Lint::Unreachable, node, start.by, 0, 0)
}

/// The node around this one.
pub(crate) const fn parent(view: &View<'_>, node: usize) -> Option<usize> {
    let mut i = node;
    while i > 0 {
        i -= 1;
        if view.end(i) > node {
            return Some(i);
        }
    }
    None
}

const fn never_fires(view: &View<'_>, node: usize) -> Option<Found> {
    let Some(limit) = view.limit(node, false) else {
        return None;
    };
    if follows(view, node) {
        return None;
    }
    let start = start_of(view, node);
    if start.left == NONE || start.left == 0 {
        return None;
    }
    let deadline = matches!(view.nodes[node].kind, Kind::Deadline(_));
    let beaten = if deadline {
        limit > start.end
    } else {
        limit > start.left
    };
    if !beaten || any_by(view, Lint::Unreachable, start.by) {
        return None;
    }
    found(Lint::NeverFires, node, start.by, limit, start.left)
}

/// Whether a finding of that name is booked on a limit.
const fn any_by(view: &View<'_>, lint: Lint, by: usize) -> bool {
    if by >= view.nodes.len() {
        return false;
    }
    let mut i = by;
    while i < view.end(by) {
        let one = match lint {
            Lint::Unreachable => unreachable(view, i),
            _ => never_fires(view, i),
        };
        if let Some(one) = one
            && one.by == by
        {
            return true;
        }
        i += 1;
    }
    false
}

/// The worst case inside a limit with that limit removed.
pub(crate) const fn uncut(view: &View<'_>, node: usize) -> Figures {
    let view = view.without(node);
    let start = start_of(&view, node);
    figures(
        &view,
        node + 1,
        Start {
            lo: start.hi,
            ..start
        },
    )
}

const fn cannot_fit(view: &View<'_>, node: usize) -> Option<Found> {
    if !is_limit(view, node) {
        return None;
    }
    let Some(limit) = view.limit(node, false) else {
        return None;
    };
    if follows(view, node) || any_by(view, Lint::Unreachable, node) || any_by(view, Lint::NeverFires, node) {
        return None;
    }
    let deadline = matches!(view.nodes[node].kind, Kind::Deadline(_));
    // An enclosing limit that always ends first is the one to overrun.
    let start = start_of(view, node);
    if limit >= (if deadline { start.end } else { start.left }) {
        return None;
    }
    let late = start_of(&view.without(node), node).hi;
    let have = if deadline && late != NONE {
        sub(limit, late)
    } else {
        limit
    };
    let worst = uncut(view, node).worst;
    if worst == NONE || worst <= have {
        return None;
    }
    found(Lint::CannotFit, node, node, worst, have)
}

/// The first thing in preorder that has no end, where the policy has none.
const fn unbounded(view: &View<'_>, node: usize) -> Option<Found> {
    if figures(view, 0, Start::ROOT).worst != NONE {
        return None;
    }
    if !endless_here(view, node) || follows(view, node) {
        return None;
    }
    let mut i = 0;
    while i < node {
        if endless_here(view, i) {
            return None;
        }
        i += 1;
    }
    found(Lint::Unbounded, node, node, 0, 0)
}

/// Whether this node itself has no end, and no limit around it.
const fn endless_here(view: &View<'_>, node: usize) -> bool {
    if start_of(view, node).by < view.nodes.len() {
        return false;
    }
    match view.nodes[node].kind {
        Kind::Attempt(_) | Kind::Call(_) => figures(view, node, Start::ROOT).worst == NONE,
        Kind::Retry(retry) => {
            let times = view.times(node);
            times.unlimited || (times.most > 1 && matches!(retry.hint, Some(hint) if hint.max.is_none()))
        }
        _ => false,
    }
}

const fn no_attempt_timeout(view: &View<'_>, node: usize) -> Option<Found> {
    let Kind::Attempt(attempt) = view.nodes[node].kind else {
        return None;
    };
    if attempt.bound.is_some() || attempt.takes.is_some() {
        return None;
    }
    let mut at = node;
    while let Some(around) = parent(view, at) {
        match view.nodes[around].kind {
            Kind::Timeout(_) => return None,
            Kind::Retry(_) | Kind::Hedge(_) if view.times(around).most > 1 => {
                let limit = start_of(view, around).by;
                return if limit < view.nodes.len() {
                    found(Lint::NoAttemptTimeout, node, around, 0, 0)
                } else {
                    None
                };
            }
            Kind::Fallback if view.end(at) < view.end(around) => {
                let limit = start_of(view, around).by;
                return if limit < view.nodes.len() {
                    found(Lint::NoAttemptTimeout, node, around, 0, 0)
                } else {
                    None
                };
            }
            _ => {}
        }
        at = around;
    }
    None
}

const fn unsafe_repeat(view: &View<'_>, node: usize, hedge: bool) -> Option<Found> {
    let unsafe_here = match view.nodes[node].kind {
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
    while let Some(around) = parent(view, at) {
        let repeats = match view.nodes[around].kind {
            Kind::Retry(_) => !hedge,
            Kind::Hedge(_) => hedge,
            _ => false,
        };
        if repeats && view.times(around).most > 1 {
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
        found(Lint::HotLoop, node, node, times.most as u128, 0)
    } else {
        None
    }
}

/// The most calls of a leaf from one run, where two or more repeaters multiply; told of the outermost.
const fn amplification(view: &View<'_>, node: usize) -> Option<Found> {
    if !repeats(view, node) || repeated_around(view, node) {
        return None;
    }
    let mut leaf = node + 1;
    while leaf < view.end(node) {
        if view.nodes[leaf].size == 1 {
            let (calls, unpaid) = multiplied(view, leaf);
            if unpaid >= 2 && calls > 10 {
                return found(Lint::Amplification, node, leaf, calls, 10);
            }
        }
        leaf += 1;
    }
    None
}

pub(crate) const fn repeats(view: &View<'_>, node: usize) -> bool {
    matches!(view.nodes[node].kind, Kind::Retry(_) | Kind::Hedge(_)) && view.times(node).most > 1
}

const fn repeated_around(view: &View<'_>, node: usize) -> bool {
    let mut at = node;
    while let Some(around) = parent(view, at) {
        if repeats(view, around) {
            return true;
        }
        at = around;
    }
    false
}

/// How often a repeater can start its child, the limits around it considered.
pub(crate) const fn many(view: &View<'_>, node: usize) -> u128 {
    starts(view, node, start_of(view, node))
}

const fn starts(view: &View<'_>, node: usize, start: Start) -> u128 {
    match view.nodes[node].kind {
        Kind::Retry(_) => started(view, node, start, figures(view, node + 1, start)),
        _ => view.times(node).most as u128,
    }
}

/// Whether a repeater pays into a budget.
const fn pays(view: &View<'_>, node: usize) -> bool {
    match view.nodes[node].kind {
        Kind::Retry(retry) => retry.budget.is_some(),
        Kind::Hedge(hedge) => hedge.budget.is_some(),
        _ => false,
    }
}

/// The most calls of a leaf, and how many of the repeaters that make them pay into no budget.
const fn multiplied(view: &View<'_>, leaf: usize) -> (u128, u32) {
    let inner = leaf_calls(view, leaf, Start::ROOT);
    let (mut calls, mut unpaid) = (inner.calls, inner.unpaid);
    let mut at = leaf;
    while let Some(around) = parent(view, at) {
        if repeats(view, around) {
            calls = mul(calls, many(view, around));
            unpaid += if pays(view, around) { 0 } else { 1 };
        }
        at = around;
    }
    (calls, unpaid)
}

/// What one run makes of a leaf.
#[derive(Clone, Copy)]
pub(crate) struct LeafCalls {
    /// The most calls of one leaf.
    pub(crate) calls: u128,
    /// How many repeaters around one leaf pay into no budget, at most.
    pub(crate) unpaid: u32,
    /// The leaf that is called most.
    pub(crate) node: usize,
}

/// The most calls of one leaf as amplification counts them.
///
/// One walk down the tree, since a search for each leaf's repeaters would be quadratic in a wide one.
pub(crate) const fn leaf_calls(view: &View<'_>, node: usize, start: Start) -> LeafCalls {
    let mut all = LeafCalls {
        calls: 1,
        unpaid: 0,
        node,
    };
    if let Kind::Call(callee) = view.nodes[node].kind {
        let calls = of_count(callee.leaf_calls);
        if calls > 1 {
            all.calls = calls;
            all.unpaid = callee.unpaid;
        }
        return all;
    }
    let mut at = start.inside(view, node);
    let mut child = node + 1;
    while child < view.end(node) {
        let one = leaf_calls(view, child, at);
        if child == node + 1 || one.calls > all.calls {
            all.calls = one.calls;
            all.node = one.node;
        }
        if one.unpaid > all.unpaid {
            all.unpaid = one.unpaid;
        }
        // Without a limit nothing depends on when a step starts.
        if at.left != NONE && view.end(child) < view.end(node) {
            at = match view.nodes[node].kind {
                Kind::Series => at.after(figures(view, child, at).best, 0),
                Kind::Fallback => at.after(figures(view, child, at).failure, 0),
                _ => at,
            };
        }
        child = view.end(child);
    }
    if repeats(view, node) {
        all.calls = mul(all.calls, starts(view, node, start));
        all.unpaid += if pays(view, node) { 0 } else { 1 };
    }
    all
}

const fn overflow(view: &View<'_>, node: usize) -> Option<Found> {
    if node != 0 {
        return None;
    }
    let all = figures(view, 0, Start::ROOT);
    let calls = all.calls != NONE && all.calls > u64::MAX as u128;
    if beyond(all.worst) || beyond(all.best) || calls {
        found(Lint::Overflow, 0, 0, all.worst, 0)
    } else {
        None
    }
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

const fn useless_hedge(view: &View<'_>, node: usize) -> Option<Found> {
    let Kind::Hedge(hedge) = view.nodes[node].kind else {
        return None;
    };
    let worst = figures(view, node + 1, start_of(view, node)).worst;
    let after = nanos(hedge.after.lo);
    if worst != NONE && after >= worst {
        found(Lint::UselessHedge, node, node, after, worst)
    } else {
        None
    }
}

const fn budget_exceeded(view: &View<'_>, node: usize) -> Option<Found> {
    let Kind::Allowance(allowance) = view.nodes[node].kind else {
        return None;
    };
    let demand = demand(view, node + 1, allowance.key, start_of(view, node));
    let limit = allowance.limit.lo as u128;
    if demand > limit {
        found(Lint::RetryBudgetExceeded, node, node, demand, limit)
    } else {
        None
    }
}

/// The units charged to a key in one pass of a subtree, at the most.
pub(crate) const fn demand(view: &View<'_>, node: usize, key: &str, start: Start) -> u128 {
    let (budget, many) = match view.nodes[node].kind {
        Kind::Retry(retry) => (
            retry.budget,
            started(view, node, start, figures(view, node + 1, start)),
        ),
        Kind::Hedge(hedge) => (hedge.budget, view.times(node).most as u128),
        Kind::Call(callee) => {
            let mut sum = 0;
            let mut i = 0;
            while i < callee.charges.len() {
                if same(callee.charges[i].key, key) {
                    sum += callee.charges[i].cost as u128;
                }
                i += 1;
            }
            return sum;
        }
        _ => (None, 1),
    };
    let inside = start.inside(view, node);
    let mut sum = 0;
    let mut child = node + 1;
    while child < view.end(node) {
        sum = crate::amount::add(sum, demand(view, child, key, inside));
        child = view.end(child);
    }
    let own = match budget {
        Some(budget) if same(budget.key, key) => mul(sub(many, 1), budget.cost as u128),
        _ => 0,
    };
    crate::amount::add(mul(sum, many), own)
}

pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
