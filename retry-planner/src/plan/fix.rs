//! What would fit (rule 27): one value changed, or two where one isn't enough, and the whole policy planned again.

use super::figures::same;
use super::findings::{Found, find, needed_by};
use super::table::{Entry, Table};
use super::view::{Change, View};
use super::walk::walk;
use crate::amount::{NONE, add, most as most_of, sub};
use crate::calling::BOUND;
use crate::lint::{Level, Lint};
use crate::text::Text;
use crate::tree::Kind;

/// A finding with what it takes to plan again.
struct Fix<'t, 'a, 's> {
    table: &'t Table<'t, 'a>,
    found: Found,
    /// How many denials there are in all.
    before: u32,
    /// Room for the changed policy's entries.
    spare: &'s mut [Entry],
}

/// How many denials there are in all.
const fn denials(table: &Table<'_, '_>) -> u32 {
    let mut count = 0;
    let mut node = 0;
    while node < table.view.nodes.len() {
        let mut i = 0;
        while i < Lint::ALL.len() {
            let lint = Lint::ALL[i];
            if matches!(lint.default_level(), Level::Deny) && find(table, lint, node).is_some() {
                count += 1;
            }
            i += 1;
        }
        node += 1;
    }
    count
}

/// The offers, as `fits with: …`; where no single value heals it, that is said, and a pair is offered if there is one.
pub(crate) const fn offers(table: &Table<'_, '_>, spare: &mut [Entry], found: Found, text: Text) -> Text {
    let mut fix = Fix {
        table,
        found,
        before: denials(table),
        spare,
    };
    let view = &table.view;
    let mut text = text;
    let mut first = true;
    let scope = if found.by < view.nodes.len() && found.by < found.node {
        found.by
    } else {
        found.node
    };
    if let Some((node, count)) = fix.most(scope) {
        text = counted(sep(text, first), view, node, count);
        first = false;
    }
    if let Some(units) = fix.granted() {
        text = counted(sep(text, first), view, found.node, units).push(")");
        first = false;
    }
    let longer = fix.longer();
    if let Some((node, time)) = longer
        && fix.heals(fix.changed(node, Change::Time(time)))
    {
        text = limit(sep(text, first), view, node, time);
        first = false;
    }
    let mut node = scope;
    while node < view.end(scope) {
        if matches!(view.nodes[node].kind, Kind::Attempt(_)) && fix.wants_bound(node) {
            if let Some(time) = fix.shorter(node) {
                text = sep(text, first).push("attempt(").time(time, true).push(")");
                first = false;
            }
            break;
        }
        node += 1;
    }
    if !first {
        return text;
    }
    text = text.push("\n  nothing that is changed alone makes it fit");
    if let Some((inner, time)) = longer
        && let Some((outer, around)) = fix.pair(inner, time)
    {
        text = limit(text.push("\n  fits with: "), view, inner, time);
        return limit(text.push(" and "), view, outer, around);
    }
    match fix.bound_and_count(scope) {
        Some((leaf, time, node, count)) if time > 0 && leaf < view.nodes.len() => {
            let text = text
                .push("\n  fits with: attempt(")
                .time(time, true)
                .push(") and ");
            counted(text, view, node, count)
        }
        _ => text,
    }
}

pub(crate) const fn sep(text: Text, first: bool) -> Text {
    text.push(if first { "\n  fits with: " } else { ", or " })
}

const fn counted(text: Text, view: &View<'_>, node: usize, count: u32) -> Text {
    let text = match view.nodes[node].kind {
        Kind::Hedge(_) => text.push("copies = "),
        Kind::Allowance(allowance) => text.push("allowance(").push(allowance.key).push(" = "),
        _ => text.push("attempts = "),
    };
    text.number(count as u128)
}

const fn limit(text: Text, view: &View<'_>, node: usize, time: u128) -> Text {
    let deadline = matches!(view.nodes[node].kind, Kind::Deadline(_));
    let word = if deadline {
        "deadline("
    } else if same(view.nodes[node].name, BOUND) {
        "attempt("
    } else {
        "timeout("
    };
    text.push(word).time(time, true).push(")")
}

impl<'a> Fix<'_, 'a, '_> {
    const fn changed(&self, node: usize, change: Change) -> View<'a> {
        self.table.view.with(node, change)
    }

    /// Whether a change heals the finding and brings no other.
    const fn heals(&mut self, changed: View<'a>) -> bool {
        let found = self.found;
        if matches!(found.lint, Lint::RetryBudgetExceeded)
            && let Some(key) = snapshot_key(&changed, found.node)
        {
            let asked = walk(&changed.of_key(key), 0, self.table.entry(0).start()).asked;
            if asked.units > found.have {
                return false;
            }
            let table = Table::fill(changed, NONE, self.spare);
            return denials(&table) <= self.before;
        }
        let table = Table::fill(changed, NONE, self.spare);
        find(&table, found.lint, found.node).is_none() && denials(&table) < self.before
    }

    const fn wants_bound(&self, node: usize) -> bool {
        let bounded = self.table.view.limit(node, true).is_some();
        match self.found.lint {
            Lint::NoAttemptTimeout | Lint::Unbounded => node == self.found.node,
            Lint::CannotFit | Lint::Unreachable | Lint::Overflow => bounded,
            _ => false,
        }
    }

    /// The outermost repeat inside `scope`, and the most attempts or copies of it that heal the finding.
    const fn most(&mut self, scope: usize) -> Option<(usize, u32)> {
        let view = self.table.view;
        let mut node = scope;
        while node < view.end(scope) && !self.table.repeats(node) {
            node += 1;
        }
        if node == view.end(scope) {
            return None;
        }
        let hedge = matches!(view.nodes[node].kind, Kind::Hedge(_));
        let (mut low, mut high) = (if hedge { 2 } else { 1 }, view.times(node).most - 1);
        if high < low || !self.heals(self.changed(node, Change::Count(low))) {
            return None;
        }
        while low < high {
            let middle = high - (high - low) / 2;
            if self.heals(self.changed(node, Change::Count(middle))) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Some((node, low))
    }

    /// What an allowance that is exceeded would have to grant.
    const fn granted(&mut self) -> Option<u32> {
        let (node, need) = (self.found.node, self.found.need);
        let exceeded = matches!(self.found.lint, Lint::RetryBudgetExceeded)
            && matches!(self.table.view.nodes[node].kind, Kind::Allowance(_));
        if !exceeded || need > u32::MAX as u128 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "compared first")]
        let units = need as u32;
        if self.heals(self.changed(node, Change::Count(units))) {
            Some(units)
        } else {
            None
        }
    }

    /// The limit to change, and the smallest time that it needs; for a limit that never fires the longest.
    const fn longer(&self) -> Option<(usize, u128)> {
        let (table, found) = (self.table, self.found);
        let view = &table.view;
        let (node, time) = match found.lint {
            Lint::CannotFit => {
                let Some(limit) = view.limit(found.node, true) else {
                    return None;
                };
                (found.node, add(limit, sub(found.need, found.have)))
            }
            Lint::Impossible if view.nodes[found.node].size > 1 => {
                let Some(limit) = view.limit(found.node, true) else {
                    return None;
                };
                let worst = table.without(found.node).worst;
                let need = if worst == NONE {
                    found.need
                } else {
                    most_of(worst, found.need)
                };
                (found.node, add(limit, sub(need, found.have)))
            }
            Lint::Unreachable if found.by < view.nodes.len() => {
                if !matches!(view.nodes[found.by].kind, Kind::Timeout(_) | Kind::Deadline(_)) {
                    return None;
                }
                (found.by, needed_by(table, found.by))
            }
            Lint::NeverFires => (found.node, found.have),
            _ => return None,
        };
        if time == NONE || time == 0 {
            return None;
        }
        if !matches!(view.nodes[node].kind, Kind::Timeout(_) | Kind::Deadline(_)) {
            return None;
        }
        Some((node, time))
    }

    /// The limit around `inner` that has to grow with it, and what it needs then.
    const fn pair(&mut self, inner: usize, time: u128) -> Option<(usize, u128)> {
        let changed = self.changed(inner, Change::Time(time));
        let (outer, around) = {
            let table = Table::fill(changed, NONE, self.spare);
            let mut outer = inner;
            loop {
                let Some(parent) = table.parent(outer) else {
                    return None;
                };
                outer = parent;
                if matches!(changed.nodes[outer].kind, Kind::Timeout(_) | Kind::Deadline(_)) {
                    break;
                }
            }
            (outer, needed_by(&table, outer))
        };
        if around != NONE && self.heals(changed.with(outer, Change::Time(around))) {
            Some((outer, around))
        } else {
            None
        }
    }

    /// A bound for the attempt that wants one, together with the most attempts that go with it.
    const fn bound_and_count(&mut self, scope: usize) -> Option<(usize, u128, usize, u32)> {
        let view = self.table.view;
        let mut leaf = scope;
        while leaf < view.end(scope)
            && !(matches!(view.nodes[leaf].kind, Kind::Attempt(_)) && self.wants_bound(leaf))
        {
            leaf += 1;
        }
        let mut node = scope;
        while node < view.end(scope) && !self.table.repeats(node) {
            node += 1;
        }
        if leaf == view.end(scope) || node == view.end(scope) {
            return None;
        }
        let mut count = if view.times(node).most > 2 { 2 } else { 1 };
        if matches!(view.nodes[node].kind, Kind::Hedge(_)) {
            count = 2;
        }
        match self.longest_bound(leaf, view.with(node, Change::Count(count))) {
            Some(time) => Some((leaf, time, node, count)),
            None => None,
        }
    }

    /// The longest bound of an attempt that heals the finding, in a step that reads well.
    const fn shorter(&mut self, node: usize) -> Option<u128> {
        self.longest_bound(node, self.table.view)
    }

    const fn longest_bound(&mut self, node: usize, view: View<'a>) -> Option<u128> {
        let left = self.table.entry(node).start().left;
        let top = match view.limit(node, true) {
            Some(bound) => bound,
            None if left == NONE => 500_000_000,
            None => left,
        };
        let mut step = 1_000_000;
        loop {
            let (mut low, mut high) = (1, top / step);
            if high >= low && self.heals(view.with(node, Change::Time(step))) {
                while low < high {
                    let middle = high - (high - low) / 2;
                    if self.heals(view.with(node, Change::Time(middle * step))) {
                        low = middle;
                    } else {
                        high = middle - 1;
                    }
                }
                return Some(low * step);
            }
            if step == 1 {
                return None;
            }
            step /= 1_000;
        }
    }
}

/// The budget of a node that charges one, where a snapshot and no allowance is what is exceeded.
const fn snapshot_key<'a>(view: &View<'a>, node: usize) -> Option<&'a str> {
    match view.nodes[node].kind {
        Kind::Retry(retry) => match retry.budget {
            Some(budget) => Some(budget.key),
            None => None,
        },
        Kind::Hedge(hedge) => match hedge.budget {
            Some(budget) => Some(budget.key),
            None => None,
        },
        _ => None,
    }
}
