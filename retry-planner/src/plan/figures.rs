//! The figures of a node (rules 13 to 22), added up from those of its children: fastest success, fastest failure, latest
//! end, calls, work.
//!
//! A [`Row`] is opened when its node is met in preorder, takes in each child as that closes, and is closed last; who holds
//! the rows meanwhile is the business of [`super::walk`]. So a plan costs one step a node, and no depth is too great.

use super::parts::{Asked, Inner, Leaf};
use super::start::Start;
use super::view::View;
use crate::amount::{NONE, add, least, most, nanos, of_count, of_time, sub};
use crate::tree::Kind;

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
}

/// The latest end of a step or branch that starts at `start`: a deadline doesn't hold longer for a late start.
pub(super) const fn ended(start: u128, worst: u128, by: u128) -> u128 {
    most(start, least(add(start, worst), by))
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
