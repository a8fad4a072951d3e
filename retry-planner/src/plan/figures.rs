//! The figures of a node (rules 13 to 22), added up from those of its children: fastest success, fastest failure, latest
//! end, calls, work.
//!
//! A [`Row`] is opened when its node is met in preorder, takes in each child as that closes, and is closed last; who holds
//! the rows meanwhile is the business of [`super::walk`]. So a plan costs one step a node, and no depth is too great.

use super::start::Start;
use super::view::View;
use crate::amount::{NONE, add, least, most, mul, nanos, of_count, of_time, sub};
use crate::tree::{Charge, Kind, Retry};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) best: u128,
    pub(crate) failure: u128,
    /// What no run of the node takes longer than, enclosing limits left out.
    pub(crate) worst: u128,
    /// The same as `cannot_fit` has it: open counts taken as one attempt, and no repeat left out for an enclosing limit or
    /// allowance (rules 18 and 19).
    pub(crate) whole: u128,
    pub(crate) calls: u128,
    pub(crate) work: u128,
}

/// What the deadlines inside a node make of it, and what it needs to succeed.
#[derive(Clone, Copy)]
pub(crate) struct Inner {
    /// Its fastest success, however fast branches fail.
    pub(crate) time: u128,
    /// The last point on the policy's clock at which it can start and still succeed; `NONE` where no deadline says.
    pub(crate) start_by: u128,
    /// The point by which everything inside has ended; `NONE` where deadlines don't say. A repeat that starts after it could
    /// not succeed, so there is none (rule 20).
    pub(crate) last_end: u128,
    /// The earliest deadline; `NONE` where there is none.
    pub(crate) first_deadline: u128,
}

/// What is charged to the key that is asked for, at the most.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) retries: u128,
    pub(crate) hedges: u128,
    pub(crate) units: u128,
}

impl Asked {
    const NOTHING: Self = Self {
        retries: 0,
        hedges: 0,
        units: 0,
    };

    const fn and(self, other: Self) -> Self {
        Self {
            retries: add(self.retries, other.retries),
            hedges: add(self.hedges, other.hedges),
            units: add(self.units, other.units),
        }
    }

    const fn times(self, n: u128) -> Self {
        Self {
            retries: mul(self.retries, n),
            hedges: mul(self.hedges, n),
            units: mul(self.units, n),
        }
    }

    const fn at_most(self, limit: u128) -> Self {
        Self {
            retries: least(self.retries, limit),
            hedges: least(self.hedges, limit),
            units: least(self.units, limit),
        }
    }
}

/// How many factors of a product of calls are told apart; those further in are multiplied into the last.
pub(crate) const FACTORS: usize = 8;

/// The leaf of a node that is called most, as amplification counts it.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) node: usize,
    pub(crate) calls: u128,
    /// How many of the repeaters around one leaf pay into no budget, at most.
    pub(crate) unpaid: u32,
    /// The repeaters around this leaf, the innermost first, by how many attempts or copies they start.
    pub(crate) factors: [u128; FACTORS],
    pub(crate) len: usize,
}

impl Leaf {
    const fn once(node: usize) -> Self {
        Self {
            node,
            calls: 1,
            unpaid: 0,
            factors: [0; FACTORS],
            len: 0,
        }
    }

    const fn or(self, other: Self) -> Self {
        // A node that has taken in nothing yet has no leaf.
        let mut all = if self.node == usize::MAX || other.calls > self.calls {
            other
        } else {
            self
        };
        if self.unpaid > all.unpaid {
            all.unpaid = self.unpaid;
        }
        if other.unpaid > all.unpaid {
            all.unpaid = other.unpaid;
        }
        all
    }

    const fn times(mut self, started: u128, paid: bool) -> Self {
        self.calls = mul(self.calls, started);
        self.unpaid += if paid { 0 } else { 1 };
        if self.len == FACTORS {
            self.factors[0] = mul(self.factors[0], self.factors[1]);
            let mut i = 1;
            while i + 1 < FACTORS {
                self.factors[i] = self.factors[i + 1];
                i += 1;
            }
            self.len -= 1;
        }
        self.factors[self.len] = started;
        self.len += 1;
        self
    }
}

/// A node in planning.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) start: Start,
    pub(crate) figures: Figures,
    pub(crate) inner: Inner,
    /// How many attempts or copies can start by the deadlines inside, and by what encloses the node (rules 4, 15, 16, 20).
    pub(crate) by_clock: u128,
    pub(crate) by_left: u128,
    /// How many of these an enclosing allowance grants.
    pub(crate) makes: u128,
    pub(crate) leaf: Leaf,
    pub(crate) asked: Asked,
    /// Where steps or branches have come to, at the latest, by `worst` and by `whole`.
    pub(super) at: [u128; 2],
    pub(super) node: usize,
}

impl Row {
    pub(crate) const EMPTY: Self = Self::open(&View::of(&[]), usize::MAX, Start::ROOT);

    /// A node that is met, before its children are.
    pub(super) const fn open(view: &View<'_>, node: usize, start: Start) -> Self {
        let any = node < view.nodes.len() && matches!(view.nodes[node].kind, Kind::Fallback | Kind::Race);
        Self {
            start,
            figures: Figures {
                best: if any { NONE } else { 0 },
                failure: if any { 0 } else { NONE },
                worst: 0,
                whole: 0,
                calls: 0,
                work: 0,
            },
            inner: Inner {
                time: if any { NONE } else { 0 },
                start_by: if any { 0 } else { NONE },
                last_end: 0,
                first_deadline: NONE,
            },
            by_clock: NONE,
            by_left: NONE,
            makes: 1,
            leaf: Leaf::once(usize::MAX),
            asked: Asked::NOTHING,
            at: [start.lo; 2],
            node,
        }
    }

    /// How many attempts or copies can start.
    pub(crate) const fn started(&self) -> u128 {
        least(self.by_clock, self.by_left)
    }

    /// When the next child starts.
    pub(super) const fn next(&self, view: &View<'_>) -> Start {
        match view.nodes[self.node].kind {
            Kind::Series => self.start.after(self.figures.best, self.figures.worst),
            Kind::Fallback => self.start.after(self.figures.failure, self.figures.worst),
            _ => self.start.inside(view, self.node),
        }
    }

    /// Takes in a child that is closed.
    pub(super) const fn take(mut self, view: &View<'_>, child: &Self) -> Self {
        let kind = view.nodes[self.node].kind;
        let (all, one) = (self.figures, child.figures);
        self.inner = self.inner.with(kind, child.inner);
        self.leaf = self.leaf.or(child.leaf);
        self.asked = self.asked.and(child.asked);
        if matches!(kind, Kind::Series | Kind::Fallback) {
            let by = child.inner.last_end;
            self.at = [ended(self.at[0], one.worst, by), ended(self.at[1], one.whole, by)];
        }
        self.figures = match kind {
            Kind::Series | Kind::Fallback => Figures {
                best: if matches!(kind, Kind::Series) {
                    add(all.best, one.best)
                } else {
                    least(all.best, add(all.failure, one.best))
                },
                failure: if matches!(kind, Kind::Series) {
                    least(all.failure, add(all.best, one.failure))
                } else {
                    add(all.failure, one.failure)
                },
                worst: sub(self.at[0], self.start.lo),
                whole: sub(self.at[1], self.start.lo),
                calls: add(all.calls, one.calls),
                work: add(all.work, one.work),
            },
            Kind::Parallel | Kind::Race => {
                let any = matches!(kind, Kind::Race);
                Figures {
                    best: if any {
                        least(all.best, one.best)
                    } else {
                        most(all.best, one.best)
                    },
                    failure: if any {
                        most(all.failure, one.failure)
                    } else {
                        least(all.failure, one.failure)
                    },
                    worst: most(all.worst, one.worst),
                    whole: most(all.whole, one.whole),
                    calls: add(all.calls, one.calls),
                    work: add(all.work, one.work),
                }
            }
            _ => one,
        };
        self
    }

    /// The node itself, once all of its children are in.
    pub(super) const fn close(mut self, view: &View<'_>) -> Self {
        let node = self.node;
        match view.nodes[node].kind {
            Kind::Attempt(_) | Kind::Call(_) => self = self.leaf(view),
            Kind::Timeout(_) | Kind::Deadline(_) => self = self.limit(view),
            Kind::Retry(_) => self = self.retry(view),
            Kind::Hedge(_) => self = self.hedge(view),
            _ => {
                if let Some((key, most)) = view.grants(node, true)
                    && same(key, view.key)
                {
                    self.asked = self.asked.at_most(most);
                }
            }
        }
        if !self.start.happens() {
            self.figures.worst = 0;
            self.figures.calls = 0;
            self.figures.work = 0;
            self.asked = Asked::NOTHING;
        }
        self
    }

    const fn leaf(mut self, view: &View<'_>) -> Self {
        self.inner.last_end = NONE;
        self.leaf.node = self.node;
        match view.nodes[self.node].kind {
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
                let worst = match view.limit(self.node, true) {
                    Some(bound) => least(bound, max),
                    None => max,
                };
                self.inner.time = min;
                self.figures = Figures {
                    best: min,
                    failure: 0,
                    worst,
                    whole: worst,
                    calls: 1,
                    work: least(worst, self.start.left),
                };
            }
            Kind::Call(callee) => {
                let worst = of_time(callee.worst);
                self.inner.time = nanos(callee.best);
                self.figures = Figures {
                    best: nanos(callee.best),
                    // The caller's limit refuses repeats inside the callee (rule 4), so that it can fail at once.
                    failure: if worst > self.start.left {
                        0
                    } else {
                        nanos(callee.fastest_failure)
                    },
                    worst,
                    whole: worst,
                    calls: of_count(callee.calls),
                    work: of_time(callee.work),
                };
                let calls = of_count(callee.leaf_calls);
                if calls > 1 {
                    self.leaf.calls = calls;
                    self.leaf.unpaid = callee.unpaid;
                }
                let mut i = 0;
                while i < callee.charges.len() {
                    if same(callee.charges[i].key, view.key) {
                        // Which of them are retries isn't known of a callee.
                        let units = callee.charges[i].cost as u128;
                        self.asked.retries = add(self.asked.retries, units);
                        self.asked.units = add(self.asked.units, units);
                    }
                    i += 1;
                }
            }
            _ => {}
        }
        self
    }

    const fn limit(mut self, view: &View<'_>) -> Self {
        let Some(limit) = view.limit(self.node, true) else {
            return self;
        };
        let deadline = matches!(view.nodes[self.node].kind, Kind::Deadline(_));
        let start = self.start;
        let cut = if deadline { sub(limit, start.lo) } else { limit };
        let passed = deadline && (start.repeated || start.hi >= limit);
        let all = self.figures;
        self.figures.failure = if passed { 0 } else { least(all.failure, cut) };
        self.figures.worst = least(all.worst, cut);
        self.figures.whole = least(all.whole, cut);
        if deadline {
            // Starts are strict: what takes no time has to start before the deadline, not at it.
            let by = sub(limit, most(self.inner.time, 1));
            self.inner.start_by = least(by, self.inner.start_by);
            self.inner.last_end = least(limit, self.inner.last_end);
            self.inner.first_deadline = least(limit, self.inner.first_deadline);
        }
        self
    }

    const fn retry(mut self, view: &View<'_>) -> Self {
        let Kind::Retry(retry) = view.nodes[self.node].kind else {
            return self;
        };
        let (start, child, inner) = (self.start, self.figures, self.inner);
        let times = view.times(self.node);
        let again = times.most.saturating_sub(1);
        let low = retry.low_waits();
        let once = if retry.until {
            least(child.failure, child.best)
        } else {
            child.failure
        };

        // Repeats that could not succeed aren't started; an open count has no end where all of them could.
        self.by_clock = if inner.start_by == NONE {
            NONE
        } else {
            let fit = low.most_within(again, once, sub(inner.start_by, start.lo));
            if endless_fit(times.unlimited, fit, again) {
                NONE
            } else {
                fit as u128 + 1
            }
        };
        self.by_left = if start.left == NONE {
            // What never fails is never repeated.
            match (once, times.unlimited) {
                (NONE, _) => 1,
                (_, true) => NONE,
                (_, false) => times.most as u128,
            }
        } else if child.best > start.left {
            1
        } else {
            let fit = low.most_within(again, once, sub(start.left, child.best));
            // Starts are strict: a repeat that would start at the limit itself doesn't.
            let fit = if fit > 0 && add(low.total(fit), mul(once, fit as u128)) >= start.left {
                fit - 1
            } else {
                fit
            };
            if endless_fit(times.unlimited, fit, again) {
                NONE
            } else {
                fit as u128 + 1
            }
        };
        let started = self.started();
        let makes = least(started, granted(view, start, retry.budget));

        self.figures.failure = soonest_failure(&retry, start, inner, once, times.least, times.unlimited);
        self.figures.worst = self.by_deadlines(child.worst, in_all(&retry, child.worst, makes));
        let whole = if times.exact { times.most as u128 } else { 1 };
        self.figures.whole = self.by_deadlines(child.whole, in_all(&retry, child.whole, whole));
        self.figures.calls = mul(child.calls, makes);
        self.figures.work = least(mul(child.work, makes), mul(start.left, child.calls));
        self.makes = makes;
        self.repeat(started, times.most > 1, retry.budget, view.key, false)
    }

    const fn hedge(mut self, view: &View<'_>) -> Self {
        let Kind::Hedge(hedge) = view.nodes[self.node].kind else {
            return self;
        };
        let (start, child, inner) = (self.start, self.figures, self.inner);
        let copies = view.times(self.node).most as u128;
        let again = copies.saturating_sub(1);
        let (lo, hi) = (nanos(hedge.after.lo), nanos(hedge.after.hi));
        self.by_clock = launched(sub(inner.start_by, start.lo), copies, lo, child.failure);
        self.by_left = if child.best > start.left || start.left == 0 {
            least(copies, 1)
        } else {
            // Starts are strict.
            let useful = sub(start.left, most(child.best, 1));
            launched(useful, copies, lo, child.failure)
        };
        let started = self.started();
        let makes = least(started, granted(view, start, hedge.budget));

        let early = hedge.budget.is_some() || start.left != NONE || inner.first_deadline != NONE;
        if !early {
            let fewest = (view.times(self.node).least as u128).saturating_sub(1);
            let last = least(mul(fewest, lo), child.failure);
            self.figures.failure = add(last, child.failure);
        }
        let by = sub(inner.last_end, start.lo);
        let later = sub(makes, 1);
        self.figures.worst = least(by, add(mul(later, least(hi, child.worst)), child.worst));
        self.figures.whole = least(by, add(mul(again, least(hi, child.whole)), child.whole));
        self.figures.calls = mul(child.calls, makes);
        self.figures.work = mul(child.work, makes);
        self.makes = makes;
        self.repeat(started, copies > 1, hedge.budget, view.key, true)
    }

    /// The latest end of a retry, as the deadlines inside have it: all inside has ended by the last of them, and no attempt
    /// starts that could not succeed.
    const fn by_deadlines(&self, each: u128, all: u128) -> u128 {
        let (lo, inner) = (self.start.lo, self.inner);
        let all = least(all, sub(inner.last_end, lo));
        least(all, add(sub(inner.start_by, lo), each))
    }

    /// What is multiplied by the attempts or copies.
    const fn repeat(
        mut self,
        started: u128,
        repeats: bool,
        budget: Option<Charge<'_>>,
        key: &str,
        hedge: bool,
    ) -> Self {
        if repeats {
            self.leaf = self.leaf.times(self.makes, budget.is_some());
        }
        self.asked = self.asked.times(started);
        if let Some(budget) = budget
            && same(budget.key, key)
        {
            let more = sub(started, 1);
            let own = Asked {
                retries: if hedge { 0 } else { more },
                hedges: if hedge { more } else { 0 },
                units: mul(more, budget.cost as u128),
            };
            self.asked = self.asked.and(own);
        }
        self
    }
}

impl Inner {
    const fn with(self, kind: Kind<'_>, child: Self) -> Self {
        let (time, start_by) = match kind {
            Kind::Fallback | Kind::Race => {
                (least(self.time, child.time), most(self.start_by, child.start_by))
            }
            Kind::Series => (
                add(self.time, child.time),
                least(self.start_by, sub(child.start_by, self.time)),
            ),
            _ => (most(self.time, child.time), least(self.start_by, child.start_by)),
        };
        Self {
            time,
            start_by,
            last_end: most(self.last_end, child.last_end),
            first_deadline: least(self.first_deadline, child.first_deadline),
        }
    }
}

/// The latest end of a step or branch that starts at `start`: a deadline doesn't hold longer for a late start.
pub(super) const fn ended(start: u128, worst: u128, by: u128) -> u128 {
    most(start, least(add(start, worst), by))
}

/// The latest end of `attempts` attempts that take `each`.
const fn in_all(retry: &Retry<'_>, each: u128, attempts: u128) -> u128 {
    if attempts > u32::MAX as u128 {
        return NONE;
    }
    #[expect(clippy::cast_possible_truncation, reason = "compared first")]
    let again = (attempts as u32).saturating_sub(1);
    add(mul(each, attempts), retry.gaps_at_most(again))
}

/// Whether attempts without a count have no end: as many as are looked at could all start.
const fn endless_fit(unlimited: bool, fit: u32, again: u32) -> bool {
    unlimited && fit == again
}

/// The most attempts or copies that an enclosing allowance grants: each repeat takes at least one unit (rules 7 and 21).
const fn granted(view: &View<'_>, start: Start, budget: Option<Charge<'_>>) -> u128 {
    if let Some(budget) = budget
        && budget.cost > 0
        && start.allowance < view.nodes.len()
        && let Some((key, most)) = view.grants(start.allowance, true)
        && same(key, budget.key)
    {
        most + 1
    } else {
        NONE
    }
}

/// The fastest failure of a retry (rule 13): of all its attempts, but of the first alone wherever something may end it then.
const fn soonest_failure(
    retry: &Retry<'_>,
    start: Start,
    inner: Inner,
    once: u128,
    attempts: u32,
    unlimited: bool,
) -> u128 {
    // A hint ends it when it doesn't fit or passes its `max` (rule 10), an enclosing limit when a repeat doesn't fit.
    let early = retry.when
        || retry.stop_on_timeout
        || retry.budget.is_some()
        || retry.hint.is_some()
        || start.left != NONE;
    let deadline = inner.first_deadline != NONE;
    if early || (deadline && start.repeated) {
        return once;
    }
    let again = attempts.saturating_sub(1);
    let full = if unlimited {
        NONE
    } else {
        add(mul(once, attempts as u128), retry.low_waits().total(again))
    };
    if !deadline {
        return full;
    }
    // A deadline inside ends it when it passes, or when the longest wait leads past the last useful start.
    let passes = sub(least(inner.start_by, inner.first_deadline), start.hi);
    least(full, most(once, sub(passes, retry.longest_wait(again))))
}

/// How many copies can start by `useful` from the first one's start (rules 4 and 15); `NONE` is always.
const fn launched(useful: u128, copies: u128, after: u128, failure: u128) -> u128 {
    if useful == NONE || copies <= 1 || after == 0 || failure <= useful {
        copies
    } else {
        least(copies, add(useful / after, 1))
    }
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
