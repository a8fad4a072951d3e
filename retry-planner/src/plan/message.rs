//! What a finding says: the figures, the timeline, and what would fit.

use super::figures::same;
use super::findings::Found;
use super::fix::{offers, sep};
use super::table::{Entry, Table};
use super::view::View;
use crate::amount::{NONE, add, mul, nanos, of_count, of_time};
use crate::lint::{Level, Lint};
use crate::text::Text;
use crate::tree::Kind;

#[expect(
    clippy::too_many_lines,
    reason = "one arm a finding: the catalogue reads from top to bottom"
)]
pub(crate) const fn message(name: &str, table: &Table<'_, '_>, spare: &mut [Entry], found: Found) -> Text {
    let view = &table.view;
    let text = Text::new();
    let text = if name.is_empty() {
        text.push("this policy")
    } else {
        text.push("`").push(name).push("`")
    };
    let (need, have) = (found.need, found.have);
    let text = match found.lint {
        Lint::Impossible => {
            let text = text
                .push(" cannot succeed: its fastest success takes ")
                .time(need, false);
            let text = text.push(", limit ").time(have, false);
            offers(table, spare, found, called(text, view, found.node, true))
        }
        Lint::Unreachable => {
            let text = match view.nodes[found.node].kind {
                Kind::Retry(_) if need > 0 => text.push(" never makes attempt ").number(need),
                Kind::Hedge(_) if need > 0 => text.push(" never starts copy ").number(need),
                _ => named(text.push(" never starts "), view, found.node),
            };
            let text = text
                .push(", however fast the others fail: limit ")
                .time(limit_of(view, found.by), false);
            offers(table, spare, found, text)
        }
        Lint::NeverFires => {
            let text = text
                .push(" has a limit of ")
                .time(need, false)
                .push(" that never fires: the ");
            let text = word(text, view, found.by)
                .push(" around it leaves at most ")
                .time(have, false);
            offers(table, spare, found, text).push(", or without this limit")
        }
        Lint::CannotFit => {
            let text = text
                .push(" cannot fit: worst case ")
                .time(need, false)
                .push(", limit ")
                .time(have, false);
            let text = timeline(text, table, found.node, have);
            let text = called(text, view, found.node, false);
            offers(table, spare, found, retried_around(text, table, found.node))
        }
        Lint::RetryBudgetExceeded => {
            if let Kind::Allowance(allowance) = view.nodes[found.node].kind {
                let text = unless_endless(text.push(" may ask for "), need)
                    .push(" retries and hedges, and the allowance is ")
                    .number(have);
                offers(table, spare, found, asking(text, view, found.node, allowance.key))
            } else {
                let text = charged(text, view, found).push("`, which has ").number(have);
                offers(table, spare, found, text.push(" left"))
            }
        }
        Lint::RetryBudgetUnverified => charged(text, view, found).push("`, and nobody said what it has left"),
        Lint::Unbounded => match view.nodes[found.node].kind {
            Kind::Retry(_) => sep(
                text.push(" has no worst case: these attempts have no end, and no limit is around them"),
                true,
            )
            .push("deadline(10s) { … } around it"),
            Kind::Call(callee) => sep(
                text.push(" has no worst case: it calls `")
                    .push(callee.name)
                    .push("`, which has none, and no limit is around it"),
                true,
            )
            .push("deadline(10s) { … } around it"),
            _ => sep(
                text.push(" has no worst case: this attempt has no bound, and no limit is around it"),
                true,
            )
            .push("attempt(500ms), or takes = 500ms where its client has the bound"),
        },
        Lint::NoAttemptTimeout => {
            let text = text.push(" has an attempt without a bound: one that hangs takes the whole limit of ");
            let text = text.time(limit_of(view, table.row(found.node).start.by), false);
            offers(table, spare, found, text.push(", and no other follows"))
        }
        Lint::RetryUnsafe => sep(repeated(text.push(" retries "), view, found.node), true)
            .push("idempotency_key, or attempts = 1"),
        Lint::HedgeUnsafe => sep(repeated(text.push(" hedges "), view, found.node), true)
            .push("idempotency_key, or without this hedge"),
        Lint::HotLoop => {
            let text =
                unless_endless(text.push(" makes "), need).push(" attempts without a wait between them");
            sep(text, true).push("backoff = exponential(100ms), or attempts = 3")
        }
        Lint::Amplification => {
            let text = text
                .push(" can make ")
                .number(need)
                .push(" calls of one operation in one run: ");
            offers(table, spare, found, factors(text, table, found.by))
        }
        Lint::Overflow if have > 0 => text
            .push(" charges more than ")
            .number(have)
            .push(" budgets, and callers can be told of no more")
            .push("\n  fits with: parts in policies of their own"),
        Lint::Overflow => offers(
            table,
            spare,
            found,
            text.push(" has figures beyond what a duration or a count holds"),
        ),
        Lint::NoJitter => sep(
            text.push(" has waits without jitter: clients that failed together come back together"),
            true,
        )
        .push("jitter = full, or jitter = none where that is meant"),
        Lint::NoCap => {
            let text = text
                .push(" has waits that grow without an end, up to ")
                .time(need, false);
            sep(text, true).push("max = 10s in its backoff")
        }
        Lint::UselessHedge => {
            let text = text
                .push(" has a hedge that never helps: a copy starts after ")
                .time(need, false);
            let text = text
                .push(", and by then the first has ended, after ")
                .time(have, false);
            sep(text, true).push("after = ").time(have / 2, true)
        }
        Lint::NoDeadline => text.push(" has no limit around it"),
        Lint::TooManyAttempts => unless_endless(text.push(" makes "), need)
            .push(" attempts: more than five rarely succeed where five did not"),
        Lint::IgnoresRetryAfter => sep(
            text.push(" retries without regard to when the server says to come back"),
            true,
        )
        .push("retry_after = …"),
        Lint::RetriesClientErrors => sep(
            text.push(" retries every error, those that come again however often it tries included"),
            true,
        )
        .push("when = …"),
        // Told by those who have its place and its reason.
        Lint::UnfulfilledExpect => text.push(" expects what isn't found"),
    };
    match view.nodes[found.node].levels.get(found.lint) {
        Level::Warn => text
            .push("\n  meant so? `#[allow(")
            .push(found.lint.name())
            .push(", reason = \"…\")]`"),
        _ => text.push("\n  finding: ").push(found.lint.name()),
    }
}

const fn limit_of(view: &View<'_>, node: usize) -> u128 {
    if node < view.nodes.len()
        && let Some(limit) = view.limit(node, true)
    {
        limit
    } else {
        0
    }
}

const fn named(text: Text, view: &View<'_>, node: usize) -> Text {
    if view.nodes[node].name.is_empty() {
        text.push("this")
    } else {
        text.push("`").push(view.nodes[node].name).push("`")
    }
}

const fn word(text: Text, view: &View<'_>, node: usize) -> Text {
    if node >= view.nodes.len() {
        return text.push("limit");
    }
    text.push(match view.nodes[node].kind {
        Kind::Timeout(_) => "timeout",
        Kind::Deadline(_) => "deadline",
        _ => "bound",
    })
}

/// The budget that a node charges first.
const fn key<'a>(view: &View<'a>, node: usize) -> &'a str {
    match view.nodes[node].kind {
        Kind::Retry(retry) => match retry.budget {
            Some(budget) => budget.key,
            None => "",
        },
        Kind::Hedge(hedge) => match hedge.budget {
            Some(budget) => budget.key,
            None => "",
        },
        Kind::Call(callee) if !callee.charges.is_empty() => callee.charges[0].key,
        _ => "",
    }
}

const fn charged(text: Text, view: &View<'_>, found: Found) -> Text {
    unless_endless(text.push(" may charge "), found.need)
        .push(if found.need == 1 {
            " unit to `"
        } else {
            " units to `"
        })
        .push(key(view, found.node))
}

/// What the policies that are called inside ask of a budget.
const fn asking(text: Text, view: &View<'_>, node: usize, key: &str) -> Text {
    let mut text = text;
    let mut at = node;
    while at < view.end(node) {
        if let Kind::Call(callee) = view.nodes[at].kind {
            let mut i = 0;
            while i < callee.charges.len() {
                if same(callee.charges[i].key, key) && callee.charges[i].cost > 0 {
                    text = text
                        .push("\n  calls `")
                        .push(callee.name)
                        .push("`, which asks for up to ")
                        .number(callee.charges[i].cost as u128);
                }
                i += 1;
            }
        }
        at += 1;
    }
    text
}

/// When the limit is itself retried, the caller gives up while this is still working.
const fn retried_around(text: Text, table: &Table<'_, '_>, node: usize) -> Text {
    let mut at = node;
    while let Some(around) = table.parent(at) {
        if matches!(table.view.nodes[around].kind, Kind::Retry(_)) && table.repeats(around) {
            return unless_endless(text.push("\n  each of its "), table.view.times(around).told())
                .push(" attempts is given up while it is still working");
        }
        at = around;
    }
    text
}

/// What is repeated, and may not be.
const fn repeated(text: Text, view: &View<'_>, node: usize) -> Text {
    match view.nodes[node].kind {
        Kind::Call(callee) => text
            .push("`")
            .push(callee.name)
            .push("`, which is not idempotent, and has no idempotency key"),
        _ => text.push("an attempt that is not idempotent, and has no idempotency key"),
    }
}

/// What the policies that are called inside take at the least or at the most.
const fn called(text: Text, view: &View<'_>, node: usize, least: bool) -> Text {
    let mut text = text;
    let mut at = node;
    while at < view.end(node) {
        if let Kind::Call(callee) = view.nodes[at].kind {
            let time = if least {
                nanos(callee.best)
            } else {
                of_time(callee.worst)
            };
            if time != NONE && time > 0 {
                text = text
                    .push("\n  calls `")
                    .push(callee.name)
                    .push(if least {
                        "`, which takes at least "
                    } else {
                        "`, which takes up to "
                    })
                    .time(time, false);
            }
        }
        at += 1;
    }
    text
}

/// The factors of a product, from the outside in, each with the policy that it stands in.
const fn factors(text: Text, table: &Table<'_, '_>, leaf: usize) -> Text {
    let view = &table.view;
    let mut text = text;
    let mut first = true;
    let mut node = 0;
    while node < leaf {
        if view.end(node) > leaf && table.repeats(node) {
            if !first {
                text = text.push(" × ");
            }
            text = unless_endless(text, table.row(node).makes);
            first = false;
        }
        node += 1;
    }
    let Kind::Call(callee) = view.nodes[leaf].kind else {
        return text;
    };
    let mut i = 0;
    while i < callee.repeaters.len() {
        let one = callee.repeaters[i];
        text = by(text.push(" × "), of_count(one.times), one.name);
        i += 1;
    }
    match callee.leaf_calls {
        Some(0 | 1) => text,
        calls if callee.repeaters.is_empty() => by(text.push(" × "), of_count(calls), callee.name),
        _ => text,
    }
}

const fn by(text: Text, calls: u128, name: &str) -> Text {
    unless_endless(text, calls).push(" by `").push(name).push("`")
}

/// The attempts or steps inside a limit in the worst case, and what the limit does to them.
pub(crate) const fn timeline(text: Text, table: &Table<'_, '_>, limit: usize, have: u128) -> Text {
    let view = &table.view;
    let mut node = limit;
    while node < view.nodes.len() {
        match view.nodes[node].kind {
            Kind::Timeout(_) | Kind::Deadline(_) | Kind::Allowance(_) => node += 1,
            _ => break,
        }
    }
    let mut text = text;
    match view.nodes[node].kind {
        Kind::Retry(retry) => {
            let each = table.row(node + 1).figures.whole;
            let times = view.times(node);
            let count = times.most;
            let mut k = 1;
            while k <= count && each != NONE {
                // The first five and the last tell the story.
                if k == 6 && count > 6 {
                    text = text.push("\n  …");
                    if times.unlimited {
                        break;
                    }
                    k = count;
                }
                let from = add(mul(each, (k - 1) as u128), retry.gaps_at_most(k - 1));
                text = row(
                    text.push("\n  attempt ")
                        .padded(k as u128, if count > 9 { 2 } else { 1 }),
                    from,
                    add(from, each),
                    have,
                );
                if k == count {
                    break;
                }
                k += 1;
            }
        }
        Kind::Series | Kind::Fallback => {
            let width = longest_name(view, node);
            let mut from = 0;
            let mut child = node + 1;
            while child < view.end(node) {
                let each = table.row(child).figures.whole;
                text = row(
                    text.push("\n  ").left(view.nodes[child].name, width),
                    from,
                    add(from, each),
                    have,
                );
                from = add(from, each);
                child = view.end(child);
            }
        }
        _ => {}
    }
    text
}

/// The most characters that a child's name has.
const fn longest_name(view: &View<'_>, node: usize) -> usize {
    let mut longest = 0;
    let mut child = node + 1;
    while child < view.end(node) {
        let len = view.nodes[child].name.len();
        longest = if len > longest { len } else { longest };
        child = view.end(child);
    }
    longest
}

const MS: u128 = 1_000_000;

const fn row(text: Text, from: u128, to: u128, limit: u128) -> Text {
    let whole = from.is_multiple_of(MS) && to.is_multiple_of(MS);
    let text = if whole {
        text.push("  ")
            .padded(from / MS, 7)
            .push(" ms ..")
            .padded(to / MS, 7)
            .push(" ms")
    } else {
        text.push("  ").time(from, false).push(" .. ").time(to, false)
    };
    if from >= limit {
        text.push("   not reached")
    } else if to > limit {
        if limit.is_multiple_of(MS) {
            text.push("   cut at ").number(limit / MS).push(" ms")
        } else {
            text.push("   cut at ").time(limit, false)
        }
    } else {
        text
    }
}

/// A count, or that there is none.
const fn unless_endless(text: Text, count: u128) -> Text {
    if count == NONE {
        text.push("unlimited")
    } else {
        text.number(count)
    }
}
