//! What would fit (rule 27): one value changed, and the whole policy planned again.

use super::figures::Start;
use super::findings::{Found, find, same, uncut};
use super::view::{Change, View};
use crate::amount::{NONE, add, most as most_of, sub};
use crate::calling::BOUND;
use crate::lint::{Level, Lint};
use crate::text::Text;
use crate::tree::Kind;

/// How many denials there are in all.
const fn denials(view: &View<'_>) -> u32 {
    let mut count = 0;
    let mut node = 0;
    while node < view.nodes.len() {
        let mut i = 0;
        while i < Lint::ALL.len() {
            let lint = Lint::ALL[i];
            if matches!(lint.default_level(), Level::Deny) && find(view, lint, node).is_some() {
                count += 1;
            }
            i += 1;
        }
        node += 1;
    }
    count
}

/// Whether a change heals a finding and brings no other.
const fn heals(view: &View<'_>, found: Found, before: u32, node: usize, change: Change) -> bool {
    let changed = view.with(node, change);
    find(&changed, found.lint, found.node).is_none() && denials(&changed) < before
}

/// The offers, as `fits with: …`; empty where no single value heals it.
pub(crate) const fn offers(view: &View<'_>, found: Found, text: Text) -> Text {
    let before = denials(view);
    let mut text = text;
    let mut first = true;
    let scope = if found.by < view.nodes.len() && found.by < found.node {
        found.by
    } else {
        found.node
    };
    let mut node = scope;
    let mut counted = false;
    while node < view.end(scope) && !counted {
        if matches!(view.nodes[node].kind, Kind::Retry(_) | Kind::Hedge(_)) && view.times(node).most > 1 {
            counted = true;
            let hedge = matches!(view.nodes[node].kind, Kind::Hedge(_));
            if let Some(n) = most(view, found, before, node, hedge) {
                text = sep(text, first)
                    .push(if hedge { "copies = " } else { "attempts = " })
                    .number(n as u128);
                first = false;
            }
        }
        node += 1;
    }
    if let Some((node, time)) = longer(view, found, before) {
        let word = if matches!(view.nodes[node].kind, Kind::Deadline(_)) {
            "deadline("
        } else if same(view.nodes[node].name, BOUND) {
            "attempt("
        } else {
            "timeout("
        };
        text = sep(text, first).push(word).time(time, true).push(")");
        first = false;
    }
    let mut node = scope;
    let mut bounded = false;
    while node < view.end(scope) && !bounded {
        if matches!(view.nodes[node].kind, Kind::Attempt(_)) && wants_bound(view, found, node) {
            bounded = true;
            if let Some(time) = shorter(view, found, before, node) {
                text = sep(text, first).push("attempt(").time(time, true).push(")");
                first = false;
            }
        }
        node += 1;
    }
    if first {
        text.push("\n  nothing that is changed alone makes it fit")
    } else {
        text
    }
}

const fn wants_bound(view: &View<'_>, found: Found, node: usize) -> bool {
    let bounded = view.limit(node, true).is_some();
    match found.lint {
        Lint::NoAttemptTimeout | Lint::Unbounded => node == found.node,
        Lint::CannotFit | Lint::Unreachable | Lint::Overflow => bounded,
        _ => false,
    }
}

pub(crate) const fn sep(text: Text, first: bool) -> Text {
    text.push(if first { "\n  fits with: " } else { ", or " })
}

/// The most attempts that heal it.
const fn most(view: &View<'_>, found: Found, before: u32, node: usize, hedge: bool) -> Option<u32> {
    let (mut low, mut high) = (if hedge { 2 } else { 1 }, view.times(node).most - 1);
    if high < low || !heals(view, found, before, node, Change::Count(low)) {
        return None;
    }
    while low < high {
        let middle = high - (high - low) / 2;
        if heals(view, found, before, node, Change::Count(middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some(low)
}

/// The smallest limit that heals it, or for a limit that never fires the longest.
const fn longer(view: &View<'_>, found: Found, before: u32) -> Option<(usize, u128)> {
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
            let worst = uncut(view, found.node).worst;
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
            (found.by, uncut(view, found.by).worst)
        }
        Lint::NeverFires => (found.node, found.have),
        _ => return None,
    };
    if time == NONE || !matches!(view.nodes[node].kind, Kind::Timeout(_) | Kind::Deadline(_)) {
        return None;
    }
    if heals(view, found, before, node, Change::Time(time)) {
        Some((node, time))
    } else {
        None
    }
}

/// The longest bound of an attempt that heals it, rounded down to a step that reads well.
const fn shorter(view: &View<'_>, found: Found, before: u32, node: usize) -> Option<u128> {
    let start: Start = super::figures::start_of(view, node);
    let top = match view.limit(node, true) {
        Some(bound) => bound,
        None if start.left == NONE => 500_000_000,
        None => start.left,
    };
    let (mut low, mut high) = (1, top);
    if !heals(view, found, before, node, Change::Time(low)) {
        return None;
    }
    while low < high {
        let middle = high - (high - low) / 2;
        if heals(view, found, before, node, Change::Time(middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let step = if low >= 1_000_000 {
        1_000_000
    } else if low >= 1_000 {
        1_000
    } else {
        1
    };
    let rounded = low - low % step;
    if heals(view, found, before, node, Change::Time(rounded)) {
        Some(rounded)
    } else {
        Some(low)
    }
}
