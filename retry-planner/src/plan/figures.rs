//! The figures of a subtree (rules 13 to 22): fastest success, fastest failure, latest end, calls, work.

use super::needs::needed;
use super::view::View;
use crate::amount::{NONE, add, least, most, mul, nanos, of_count, of_time, sub};
use crate::tree::Kind;

/// When a node can start, and what is left for it then.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// The earliest and the latest start, on the policy's clock.
    pub(crate) lo: u128,
    pub(crate) hi: u128,
    /// The time to the earliest enclosing limit at the earliest start.
    pub(crate) left: u128,
    /// The latest point on the policy's clock at which an enclosing limit ends.
    pub(crate) end: u128,
    /// The limit that leaves `left`.
    pub(crate) by: usize,
}

impl Start {
    pub(crate) const ROOT: Self = Self {
        lo: 0,
        hi: 0,
        left: NONE,
        end: NONE,
        by: usize::MAX,
    };

    /// After something that takes between `lo` and `hi`.
    pub(crate) const fn after(self, lo: u128, hi: u128) -> Self {
        Self {
            lo: add(self.lo, lo),
            hi: add(self.hi, hi),
            left: sub(self.left, lo),
            end: self.end,
            by: self.by,
        }
    }

    /// Over all repeats of the node: a deadline inside may have passed when a later one starts.
    pub(crate) const fn repeats(self, view: &View<'_>, node: usize) -> Self {
        let mut start = self;
        if view.times(node).most > 1 && view.has_deadline(node) {
            start.hi = NONE;
        }
        start
    }

    /// Inside a limit.
    pub(crate) const fn inside(self, view: &View<'_>, node: usize) -> Self {
        let Some(limit) = view.limit(node, true) else {
            return self;
        };
        let deadline = matches!(view.nodes[node].kind, Kind::Deadline(_));
        let left = if deadline { sub(limit, self.lo) } else { limit };
        let end = if deadline { limit } else { add(self.hi, limit) };
        let mut inside = self;
        if left < self.left {
            inside.left = left;
            inside.by = node;
        }
        inside.end = least(self.end, end);
        inside
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) best: u128,
    pub(crate) failure: u128,
    pub(crate) worst: u128,
    pub(crate) calls: u128,
    pub(crate) work: u128,
}

/// The figures of the subtree at `node`, started at `start`.
pub(crate) const fn figures(view: &View<'_>, node: usize, start: Start) -> Figures {
    let inside = start.inside(view, node);
    match view.nodes[node].kind {
        Kind::Attempt(attempt) => {
            let (min, max) = match attempt.takes {
                Some(takes) => (
                    nanos(takes.min.lo),
                    match takes.max {
                        Some(max) => nanos(max.hi),
                        None => NONE,
                    },
                ),
                None => (0, NONE),
            };
            let worst = match view.limit(node, true) {
                Some(bound) => least(bound, max),
                None => max,
            };
            Figures {
                best: min,
                failure: 0,
                worst,
                calls: 1,
                work: least(worst, start.left),
            }
        }
        Kind::Call(callee) => Figures {
            best: nanos(callee.best),
            // The caller's limit refuses repeats inside the callee (rule 4), so that it can fail at once.
            failure: if of_time(callee.worst) > start.left {
                0
            } else {
                nanos(callee.fastest_failure)
            },
            worst: of_time(callee.worst),
            calls: of_count(callee.calls),
            work: of_time(callee.work),
        },
        Kind::Timeout(_) | Kind::Deadline(_) => {
            let child = figures(view, node + 1, inside);
            let Some(limit) = view.limit(node, true) else {
                return child;
            };
            let deadline = matches!(view.nodes[node].kind, Kind::Deadline(_));
            let cut = if deadline { sub(limit, start.lo) } else { limit };
            let late = deadline && start.hi >= limit;
            Figures {
                failure: if late { 0 } else { least(child.failure, cut) },
                worst: least(child.worst, cut),
                ..child
            }
        }
        Kind::Retry(_) => retried(view, node, start),
        Kind::Hedge(_) => hedged(view, node, start),
        Kind::Allowance(_) => figures(view, node + 1, start),
        Kind::Series | Kind::Parallel | Kind::Fallback | Kind::Race => composed(view, node, start),
    }
}

const fn retried(view: &View<'_>, node: usize, start: Start) -> Figures {
    let Kind::Retry(retry) = view.nodes[node].kind else {
        return figures(view, node + 1, start);
    };
    let child = figures(view, node + 1, start.repeats(view, node));
    let times = view.times(node);
    let again = times.most.saturating_sub(1);
    let low = retry.low_waits();
    let once = fastest_end(view, node, child);
    // Whatever may end it sooner (rule 13); a hint does so too, when it doesn't fit or passes its `max` (rule 10).
    let early = retry.when
        || retry.stop_on_timeout
        || retry.budget.is_some()
        || retry.hint.is_some()
        || start.left != NONE
        || times.unlimited
        || view.has_deadline(node);
    let failure = if early {
        once
    } else {
        add(mul(once, times.most as u128), low.total(again))
    };
    let worst = if times.unlimited {
        NONE
    } else {
        add(mul(child.worst, times.most as u128), retry.gaps_at_most(again))
    };
    let worst = least(worst, sub(last_end(view, node + 1), start.lo));
    let worst = least(
        worst,
        add(sub(last_useful(view, node + 1), start.lo), child.worst),
    );
    let started = started(view, node, start, child);
    Figures {
        best: child.best,
        failure,
        worst,
        calls: mul(child.calls, started),
        work: if start.left == NONE {
            mul(child.work, started)
        } else {
            least(mul(child.work, started), mul(start.left, child.calls))
        },
    }
}

/// The point on the policy's clock by which everything in a subtree has ended; `NONE` where deadlines don't say.
///
/// A repeat that starts after it could not succeed, so there is none (rule 20).
const fn last_end(view: &View<'_>, node: usize) -> u128 {
    let mut all = match view.nodes[node].kind {
        Kind::Attempt(_) | Kind::Call(_) => return NONE,
        _ => 0,
    };
    let mut child = node + 1;
    while child < view.end(node) {
        all = most(all, last_end(view, child));
        child = view.end(child);
    }
    match view.nodes[node].kind {
        Kind::Deadline(_) => match view.limit(node, true) {
            Some(limit) => least(limit, all),
            None => all,
        },
        _ => all,
    }
}

/// The last point on the policy's clock at which a subtree can start and still succeed; `NONE` where no deadline says.
pub(crate) const fn last_useful(view: &View<'_>, node: usize) -> u128 {
    needed(view, node).start_by
}

/// The earliest end of one attempt that brings the next: its failure, or under `until` a value that isn't there yet.
pub(crate) const fn fastest_end(view: &View<'_>, node: usize, child: Figures) -> u128 {
    match view.nodes[node].kind {
        Kind::Retry(retry) if retry.until => least(child.failure, child.best),
        _ => child.failure,
    }
}

/// How many of a retry's attempts can start in what is left; `NONE` where there is no end.
pub(crate) const fn started(view: &View<'_>, node: usize, start: Start, child: Figures) -> u128 {
    let Kind::Retry(retry) = view.nodes[node].kind else {
        return 1;
    };
    let times = view.times(node);
    let again = times.most.saturating_sub(1);
    let low = retry.low_waits();
    let useful = last_useful(view, node + 1);
    let by_clock = if useful == NONE {
        NONE
    } else {
        let fit = low.most_within(again, fastest_end(view, node, child), sub(useful, start.lo));
        if times.unlimited && fit == again {
            NONE
        } else {
            fit as u128 + 1
        }
    };
    if start.left == NONE {
        return least(by_clock, if times.unlimited { NONE } else { times.most as u128 });
    }
    if child.best > start.left {
        return 1;
    }
    let once = fastest_end(view, node, child);
    let fit = low.most_within(again, once, sub(start.left, child.best));
    // Starts are strict: a repeat that would start at the limit itself doesn't.
    let fit = if fit > 0 && add(low.total(fit), mul(once, fit as u128)) >= start.left {
        fit - 1
    } else {
        fit
    };
    if times.unlimited && fit == again {
        by_clock
    } else {
        least(by_clock, fit as u128 + 1)
    }
}

const fn hedged(view: &View<'_>, node: usize, start: Start) -> Figures {
    let Kind::Hedge(hedge) = view.nodes[node].kind else {
        return figures(view, node + 1, start);
    };
    let child = figures(view, node + 1, start.repeats(view, node));
    let copies = view.times(node).most as u128;
    let again = copies.saturating_sub(1);
    let (lo, hi) = (nanos(hedge.after.lo), nanos(hedge.after.hi));
    let early = hedge.budget.is_some() || start.left != NONE || view.has_deadline(node);
    let last = least(mul(again, lo), child.failure);
    let calls = copies_started(start.left, copies, lo, child);
    Figures {
        best: child.best,
        failure: if early {
            child.failure
        } else {
            add(last, child.failure)
        },
        worst: least(
            add(mul(again, least(hi, child.worst)), child.worst),
            sub(last_end(view, node + 1), start.lo),
        ),
        calls: mul(child.calls, calls),
        work: mul(child.work, calls),
    }
}

/// How many of a hedge's copies can start in what is left (rules 4 and 15).
const fn copies_started(left: u128, copies: u128, after: u128, child: Figures) -> u128 {
    if left == NONE || copies <= 1 {
        return copies;
    }
    if child.best > left || left == 0 {
        return 1;
    }
    // The latest start from which a success is in time, and which is before the limit.
    let useful = least(left - child.best, left - 1);
    if after == 0 || child.failure <= useful {
        copies
    } else {
        least(copies, add(useful / after, 1))
    }
}

const fn composed(view: &View<'_>, node: usize, start: Start) -> Figures {
    let kind = view.nodes[node].kind;
    let mut all = match kind {
        Kind::Fallback | Kind::Race => Figures {
            best: NONE,
            failure: 0,
            worst: 0,
            calls: 0,
            work: 0,
        },
        _ => Figures {
            best: 0,
            failure: NONE,
            worst: 0,
            calls: 0,
            work: 0,
        },
    };
    let mut end = start.lo;
    let mut child = node + 1;
    while child < view.end(node) {
        let at = match kind {
            Kind::Series => start.after(all.best, all.worst),
            Kind::Fallback => start.after(all.failure, all.worst),
            _ => start,
        };
        let one = figures(view, child, at);
        match kind {
            Kind::Series => {
                all.failure = least(all.failure, add(all.best, one.failure));
                all.best = add(all.best, one.best);
                end = ended(end, one.worst, last_end(view, child));
                all.worst = sub(end, start.lo);
            }
            Kind::Fallback => {
                all.best = least(all.best, add(all.failure, one.best));
                all.failure = add(all.failure, one.failure);
                end = ended(end, one.worst, last_end(view, child));
                all.worst = sub(end, start.lo);
            }
            Kind::Parallel => {
                all.failure = least(all.failure, one.failure);
                all.best = most(all.best, one.best);
                all.worst = most(all.worst, one.worst);
            }
            _ => {
                all.best = least(all.best, one.best);
                all.failure = most(all.failure, one.failure);
                all.worst = most(all.worst, one.worst);
            }
        }
        // A step or branch that can't start before the limit is never called.
        if at.left > 0 {
            all.calls = add(all.calls, one.calls);
            all.work = add(all.work, one.work);
        }
        child = view.end(child);
    }
    all
}

/// The latest end of a step or branch that starts at `start`: a deadline doesn't hold longer for a late start.
const fn ended(start: u128, worst: u128, by: u128) -> u128 {
    most(start, least(add(start, worst), by))
}

/// When a node can start.
pub(crate) const fn start_of(view: &View<'_>, target: usize) -> Start {
    let mut node = 0;
    let mut start = Start::ROOT;
    while node != target {
        let inside = match view.nodes[node].kind {
            Kind::Timeout(_) | Kind::Deadline(_) => start.inside(view, node),
            Kind::Retry(_) | Kind::Hedge(_) => repeated(view, node, start),
            _ => start,
        };
        start = inside;
        let mut child = node + 1;
        let (mut lo, mut hi) = (0, 0);
        while view.end(child) <= target {
            let one = figures(view, child, start.after(lo, hi));
            match view.nodes[node].kind {
                Kind::Series => lo = add(lo, one.best),
                Kind::Fallback => lo = add(lo, one.failure),
                _ => {}
            }
            if matches!(view.nodes[node].kind, Kind::Series | Kind::Fallback) {
                let latest = add(start.hi, hi);
                hi = sub(ended(latest, one.worst, last_end(view, child)), start.hi);
            }
            child = view.end(child);
        }
        start = start.after(lo, hi);
        node = child;
    }
    start
}

/// The start of a repeat's child over all repeats: the first at the earliest, the last at the latest.
const fn repeated(view: &View<'_>, node: usize, start: Start) -> Start {
    let one = figures(view, node + 1, start);
    let times = view.times(node);
    let again = times.most.saturating_sub(1);
    let later = match view.nodes[node].kind {
        Kind::Retry(_) if times.unlimited => NONE,
        Kind::Retry(retry) => add(mul(one.worst, again as u128), retry.gaps_at_most(again)),
        Kind::Hedge(hedge) => mul(again as u128, least(nanos(hedge.after.hi), one.worst)),
        _ => 0,
    };
    Start {
        hi: least(add(start.hi, later), most(start.hi, last_useful(view, node + 1))),
        ..start
    }
}
