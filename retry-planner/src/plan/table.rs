//! What findings look at: a row for each node, with what only the whole policy tells.

use super::figures::{Row, ended};
use super::start::Start;
use super::view::View;
use super::walk::walk;
use crate::amount::{NONE, add, least, most, mul, nanos, sub};
use crate::tree::Kind;

/// A node, and what stands around it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a mark of its own, set by its own rule"
)]
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) row: Row,
    pub(crate) parent: usize,
    /// The latest start as `cannot_fit` has it (open counts taken as one attempt).
    pub(crate) whole_hi: u128,
    /// How often one run can start the node.
    pub(crate) starts: u128,
    /// The outermost repeat around it or at it, and how many of these repeats pay into no budget.
    pub(crate) outermost: usize,
    pub(crate) unpaid: u32,
    /// The product of these repeats.
    pub(crate) product: u128,
    /// Whether even the fastest success inside ends after the limit that the node is.
    pub(crate) too_slow: bool,
    /// How many such limits stand before the node, in preorder.
    too_slow_before: usize,
    /// Whether such a limit is around it or in an earlier step, so that what is found here follows from it.
    follows: bool,
    /// Findings booked on the limit that the node is.
    pub(super) unreachable: bool,
    pub(super) never_fires: bool,
    /// Where steps or branches have come to, at the latest.
    at: [u128; 2],
}

impl Entry {
    pub(crate) const EMPTY: Self = Self {
        row: Row::EMPTY,
        parent: usize::MAX,
        whole_hi: 0,
        starts: 1,
        outermost: usize::MAX,
        unpaid: 0,
        product: 1,
        too_slow: false,
        too_slow_before: 0,
        follows: false,
        unreachable: false,
        never_fires: false,
        at: [0; 2],
    };

    pub(crate) const fn start(&self) -> Start {
        self.row.start
    }
}

/// The most steps that are taken for one deadline's `cannot_fit`, so that a policy costs no more than its nodes times that.
const STEPS: usize = 4_096;

/// A policy with an entry for each node.
#[derive(Clone, Copy)]
pub(crate) struct Table<'t, 'a> {
    pub(crate) view: View<'a>,
    entries: &'t [Entry],
}

impl<'t, 'a> Table<'t, 'a> {
    /// Fills as many entries as the policy has nodes, for a caller that has `left`.
    pub(crate) const fn fill(view: View<'a>, left: u128, entries: &'t mut [Entry]) -> Self {
        let nodes = view.nodes.len();
        if nodes > 0 {
            add_up(&view, left, entries);
            surround(&view, entries);
            mark(&view, entries);
        }
        let mut node = 0;
        while node < nodes {
            let table = Table {
                view,
                entries: &*entries,
            };
            if let Some(found) = super::findings::unreachable(&table, node)
                && found.by < nodes
            {
                entries[found.by].unreachable = true;
            }
            node += 1;
        }
        let mut node = 0;
        while node < nodes {
            let table = Table {
                view,
                entries: &*entries,
            };
            if let Some(found) = super::findings::never_fires(&table, node)
                && found.by < nodes
            {
                entries[found.by].never_fires = true;
            }
            node += 1;
        }
        Self { view, entries }
    }

    /// A table that is filled already.
    pub(crate) const fn of(view: View<'a>, entries: &'t [Entry]) -> Self {
        Self { view, entries }
    }

    pub(crate) const fn entry(&self, node: usize) -> &Entry {
        &self.entries[node]
    }

    pub(crate) const fn row(&self, node: usize) -> &Row {
        &self.entries[node].row
    }

    /// The node around this one.
    pub(crate) const fn parent(&self, node: usize) -> Option<usize> {
        let parent = self.entries[node].parent;
        if parent < self.view.nodes.len() {
            Some(parent)
        } else {
            None
        }
    }

    /// Whether a node repeats what is inside.
    pub(crate) const fn repeats(&self, node: usize) -> bool {
        repeats(&self.view, node)
    }

    /// Whether what is found at a node follows from a limit that nothing can meet, inside, around, or in an earlier step.
    pub(crate) const fn follows(&self, node: usize) -> bool {
        self.entries[node].follows || self.too_slow_inside(node) || self.entries[node].too_slow
    }

    /// Whether a limit inside can't be met.
    pub(crate) const fn too_slow_inside(&self, node: usize) -> bool {
        let end = self.view.end(node);
        let before = if end < self.view.nodes.len() {
            self.entries[end].too_slow_before
        } else {
            let last = &self.entries[self.view.nodes.len() - 1];
            last.too_slow_before + last.too_slow as usize
        };
        before - self.entries[node].too_slow_before > self.entries[node].too_slow as usize
    }

    /// Whether the node is started at all.
    pub(crate) const fn starts(&self, node: usize) -> bool {
        self.entries[node].row.start.lo != NONE
    }

    /// The latest start and end of what is around a limit, and the worst case inside, with that limit removed (rule 18): a
    /// timeout counts from each start, so the earliest lets deadlines inside be longest; a deadline is left least by the
    /// latest.
    ///
    /// Repeats around a deadline last longer without it, and deadlines inside it count from its latest start: both are
    /// planned anew, but for large parts of a policy, where the first is left out and the second estimated.
    pub(crate) const fn without(&self, limit: usize) -> Without {
        let entry = &self.entries[limit];
        let child = &self.entries[limit + 1].row;
        if matches!(self.view.nodes[limit].kind, Kind::Timeout(_)) {
            return Without {
                hi: entry.whole_hi,
                end: entry.row.start.end,
                worst: child.figures.whole,
            };
        }
        let view = self.view.without(limit);
        let (mut hi, mut end) = (entry.whole_hi, entry.row.start.end);
        if entry.row.start.repeated && entry.outermost < limit {
            let depth = self.depth(limit, entry.outermost);
            if depth * view.nodes[entry.outermost].size <= STEPS {
                (hi, end) = self.latest_start(&view, entry.outermost, limit);
            }
        }
        let worst = if child.inner.first_deadline == NONE {
            child.figures.whole
        } else if view.nodes[limit].size <= STEPS {
            let start = Start {
                lo: hi,
                hi,
                ..entry.row.start
            };
            walk(&view, limit + 1, start).figures.whole
        } else {
            least(child.figures.whole, sub(child.inner.last_end, hi))
        };
        Without { hi, end, worst }
    }

    /// How many levels `node` is below `around`.
    const fn depth(&self, node: usize, around: usize) -> usize {
        let (mut node, mut depth) = (node, 0);
        while node > around {
            node = self.entries[node].parent;
            depth += 1;
        }
        depth
    }

    /// The latest start of `target` as `cannot_fit` has it, and the latest end of the limits around it, for a view with that
    /// limit removed: the repeats around it, of which `repeat` is the outermost, last longer then.
    const fn latest_start(&self, view: &View<'_>, repeat: usize, target: usize) -> (u128, u128) {
        let mut node = repeat;
        let mut start = Start {
            hi: self.entries[repeat].whole_hi,
            ..self.entries[repeat].row.start
        };
        while node != target {
            let inside = start.inside(view, node);
            let mut child = node + 1;
            let (mut from, mut hi) = (inside, inside.hi);
            match view.nodes[node].kind {
                Kind::Retry(_) | Kind::Hedge(_) => {
                    let one = walk(view, child, inside);
                    let times = view.times(node);
                    let count = if times.exact { times.most } else { 1 };
                    let by = one.inner.start_by;
                    hi = last_repeat(view, node, hi, one.figures.whole, count, false, by);
                }
                Kind::Series | Kind::Fallback => {
                    while view.end(child) <= target {
                        let one = walk(view, child, from);
                        hi = ended(hi, one.figures.whole, one.inner.last_end);
                        let low = if matches!(view.nodes[node].kind, Kind::Series) {
                            one.figures.best
                        } else {
                            one.figures.failure
                        };
                        from = from.after(low, 0);
                        child = view.end(child);
                    }
                }
                _ => {
                    while view.end(child) <= target {
                        child = view.end(child);
                    }
                }
            }
            start = Start { hi, ..from };
            node = child;
        }
        (start.hi, start.end)
    }
}

/// What holds with a limit removed.
#[derive(Clone, Copy)]
pub(crate) struct Without {
    /// Its latest start.
    pub(crate) hi: u128,
    /// The latest end of the limits around it.
    pub(crate) end: u128,
    /// The worst case inside, from there.
    pub(crate) worst: u128,
}

/// The figures of every node, with the starts as far as the figures need them.
const fn add_up(view: &View<'_>, left: u128, entries: &mut [Entry]) {
    let mut node = 0;
    entries[0] = Entry {
        row: Row::open(view, 0, Start::within(left)),
        ..Entry::EMPTY
    };
    loop {
        if view.nodes[node].size > 1 {
            entries[node + 1] = Entry {
                row: Row::open(view, node + 1, entries[node].row.next(view)),
                parent: node,
                ..Entry::EMPTY
            };
            node += 1;
            continue;
        }
        // Up to the next one that has another child.
        let mut at = node;
        loop {
            let closed = entries[at].row.close(view);
            entries[at].row = closed;
            let parent = entries[at].parent;
            if at == 0 {
                return;
            }
            entries[parent].row = entries[parent].row.take(view, &closed);
            let behind = view.end(at);
            if behind < view.end(parent) {
                entries[behind] = Entry {
                    row: Row::open(view, behind, entries[parent].row.next(view)),
                    parent,
                    ..Entry::EMPTY
                };
                node = behind;
                break;
            }
            at = parent;
        }
    }
}

/// The latest starts, which need the figures of all earlier steps and repeats, and what repeats around a node multiply to.
const fn surround(view: &View<'_>, entries: &mut [Entry]) {
    let mut node = 0;
    while node < view.nodes.len() {
        let mut entry = entries[node];
        if node > 0 {
            let around = entries[entry.parent];
            let (from, whole) = (around.row.start, around.whole_hi);
            let kind = view.nodes[entry.parent].kind;
            entry.row.start.hi = from.hi;
            entry.whole_hi = whole;
            entry.starts = if entry.row.start.happens() {
                around.starts
            } else {
                0
            };
            entry.row.start.end = from.end;
            entry.outermost = around.outermost;
            entry.unpaid = around.unpaid;
            entry.product = around.product;
            match kind {
                Kind::Series | Kind::Fallback => {
                    let figures = entry.row.figures;
                    let by = entry.row.inner.last_end;
                    entry.row.start.hi = around.at[0];
                    entry.whole_hi = around.at[1];
                    entries[entry.parent].at = [
                        ended(around.at[0], figures.worst, by),
                        ended(around.at[1], figures.whole, by),
                    ];
                }
                Kind::Retry(_) | Kind::Hedge(_) => {
                    let row = entry.row;
                    let by = row.inner.start_by;
                    let times = view.times(entry.parent);
                    let whole_times = if times.exact { times.most } else { 1 };
                    let endless = times.unlimited;
                    let worst = row.figures.worst;
                    entry.row.start.hi =
                        last_repeat(view, entry.parent, from.hi, worst, times.most, endless, by);
                    entry.whole_hi = last_repeat(
                        view,
                        entry.parent,
                        whole,
                        row.figures.whole,
                        whole_times,
                        false,
                        by,
                    );
                    entry.starts = mul(entry.starts, around.row.makes);
                    entry.product = mul(around.product, around.row.makes);
                }
                _ => {
                    let mut start = from;
                    start.hi = entry.row.start.hi;
                    entry.row.start.end = start.inside(view, entry.parent).end;
                }
            }
        }
        if repeats(view, node) {
            if entry.outermost >= view.nodes.len() {
                entry.outermost = node;
            }
            let paid = match view.nodes[node].kind {
                Kind::Retry(retry) => retry.budget.is_some(),
                Kind::Hedge(hedge) => hedge.budget.is_some(),
                _ => true,
            };
            entry.unpaid += if paid { 0 } else { 1 };
        }
        entry.at = [entry.row.start.hi, entry.whole_hi];
        entries[node] = entry;
        node += 1;
    }
}

/// The limits that nothing can meet, and what follows from them (rule 26).
const fn mark(view: &View<'_>, entries: &mut [Entry]) {
    let mut before = 0;
    let mut node = 0;
    while node < view.nodes.len() {
        entries[node].too_slow = super::findings::too_slow(view, &entries[node].row, node).is_some();
        entries[node].too_slow_before = before;
        if node > 0 {
            let parent = entries[node].parent;
            let around = entries[parent];
            let earlier = matches!(view.nodes[parent].kind, Kind::Series)
                && before > entries[parent + 1].too_slow_before;
            entries[node].follows = around.follows || around.too_slow || earlier;
        }
        before += entries[node].too_slow as usize;
        node += 1;
    }
}

pub(super) const fn repeats(view: &View<'_>, node: usize) -> bool {
    matches!(view.nodes[node].kind, Kind::Retry(_) | Kind::Hedge(_)) && view.times(node).most > 1
}

/// The latest start of a repeat's child over all repeats.
const fn last_repeat(
    view: &View<'_>,
    node: usize,
    hi: u128,
    each: u128,
    count: u32,
    endless: bool,
    start_by: u128,
) -> u128 {
    let again = count.saturating_sub(1);
    let later = match view.nodes[node].kind {
        Kind::Retry(_) if endless => NONE,
        Kind::Retry(retry) => add(mul(each, again as u128), retry.gaps_at_most(again)),
        Kind::Hedge(hedge) => mul(again as u128, least(nanos(hedge.after.hi), each)),
        _ => 0,
    };
    least(add(hi, later), most(hi, start_by))
}

/// The first node in preorder that has no end, where the policy has none.
pub(crate) const fn endless(table: &Table<'_, '_>) -> Option<usize> {
    if table.row(0).figures.worst != NONE {
        return None;
    }
    let view = &table.view;
    let mut node = 0;
    while node < view.nodes.len() {
        let around = table.entry(node).start().left != NONE;
        let here = match view.nodes[node].kind {
            Kind::Attempt(_) | Kind::Call(_) => table.row(node).figures.worst == NONE,
            Kind::Retry(retry) => {
                let times = view.times(node);
                times.unlimited || (times.most > 1 && matches!(retry.hint, Some(hint) if hint.max.is_none()))
            }
            _ => false,
        };
        if here && !around {
            return Some(node);
        }
        node += 1;
    }
    None
}

/// The most calls of a leaf from one run.
pub(crate) const fn leaf_calls(table: &Table<'_, '_>, leaf: usize) -> u128 {
    let own = match table.view.nodes[leaf].kind {
        Kind::Call(callee) => crate::amount::of_count(callee.calls),
        _ => 1,
    };
    mul(table.entry(leaf).starts, own)
}
