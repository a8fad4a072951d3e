//! The figures of what repeats (rules 4, 10, 13, 15, 19 to 21): how many attempts or copies can start, and what they add up to.

use super::figures::{Row, same};
use super::parts::{Asked, Inner};
use super::start::Start;
use super::view::View;
use crate::amount::{NONE, add, least, most, mul, nanos, sub};
use crate::tree::{Charge, Kind, Retry};

impl Row {
    pub(super) const fn retry(mut self, view: &View<'_>) -> Self {
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

    pub(super) const fn hedge(mut self, view: &View<'_>) -> Self {
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
