//! The plan of a policy, and what is to be said of it.
//!
//! `view` reads the nodes, `figures` adds them up, `findings` judges each node, `fix` plans again with a value changed, and
//! `message` tells. Nothing is stored between them: each answer is computed from the tree, so that all of it is `const`.

mod figures;
mod findings;
mod fix;
mod message;
mod needs;
mod view;

use core::fmt;
use core::time::Duration;

use crate::amount::{bounded, count, duration, least};
use crate::lint::{Level, Lint};
use crate::text::Text;
use crate::tree::{Callee, Charge, Hedge, Kind, Policy, Repeater, Retry};
use figures::{Start, figures};
use findings::{demand, find, leaf_calls, many, repeats, same};
pub use needs::{Needs, needs};
use view::View;

/// The figures of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan<'a> {
    name: &'a str,
    leaf_calls: Option<u64>,
    unpaid: u32,
    repeaters: Repeaters<'a>,
    unsafe_to_repeat: bool,
    best: Duration,
    fastest_failure: Duration,
    worst: Option<Duration>,
    work: Option<Duration>,
    calls: Option<u64>,
    charges: Charges<'a>,
}

/// How many budgets of one policy a plan tells the demand of; those of later keys are left out.
const KEYS: usize = 8;

/// The demand by key, as a constant can hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Charges<'a> {
    list: [Charge<'a>; KEYS],
    len: usize,
}

impl<'a> Charges<'a> {
    const fn of(view: &View<'a>) -> Self {
        let mut all = Self {
            list: [Charge { key: "", cost: 0 }; KEYS],
            len: 0,
        };
        let mut node = 0;
        while node < view.nodes.len() {
            match view.nodes[node].kind {
                Kind::Retry(Retry {
                    budget: Some(budget), ..
                })
                | Kind::Hedge(Hedge {
                    budget: Some(budget), ..
                }) => {
                    all = all.with(view, budget.key);
                }
                Kind::Call(callee) => {
                    let mut i = 0;
                    while i < callee.charges.len() {
                        all = all.with(view, callee.charges[i].key);
                        i += 1;
                    }
                }
                _ => {}
            }
            node += 1;
        }
        all
    }

    #[expect(clippy::cast_possible_truncation, reason = "cut to the range of u32 first")]
    const fn with(mut self, view: &View<'a>, key: &'a str) -> Self {
        let mut i = 0;
        while i < self.len {
            if same(self.list[i].key, key) {
                return self;
            }
            i += 1;
        }
        if self.len < KEYS {
            let units = least(demand(view, 0, key, Start::ROOT), u32::MAX as u128);
            self.list[self.len] = Charge {
                key,
                cost: units as u32,
            };
            self.len += 1;
        }
        self
    }
}

/// How many repeaters a plan names; those further in are multiplied into the last.
const REPEATERS: usize = 8;

/// The repeaters around one leaf, as a constant can hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Repeaters<'a> {
    list: [Repeater<'a>; REPEATERS],
    len: usize,
}

impl<'a> Repeaters<'a> {
    const fn around(name: &'a str, view: &View<'a>, leaf: usize) -> Self {
        let mut all = Self {
            list: [Repeater {
                name: "",
                times: None,
            }; REPEATERS],
            len: 0,
        };
        let mut node = 0;
        while node < leaf {
            if view.end(node) > leaf && repeats(view, node) {
                all = all.with(Repeater {
                    name,
                    times: count(many(view, node)),
                });
            }
            node += 1;
        }
        if let Kind::Call(callee) = view.nodes[leaf].kind {
            let mut i = 0;
            while i < callee.repeaters.len() {
                all = all.with(callee.repeaters[i]);
                i += 1;
            }
        }
        all
    }

    const fn with(mut self, one: Repeater<'a>) -> Self {
        if self.len < REPEATERS {
            self.list[self.len] = one;
            self.len += 1;
        } else {
            let last = self.list[REPEATERS - 1].times;
            self.list[REPEATERS - 1].times = match (last, one.times) {
                (Some(last), Some(times)) => Some(last.saturating_mul(times)),
                _ => None,
            };
        }
        self
    }
}

impl<'a> Plan<'a> {
    /// Plans a policy.
    #[must_use]
    pub const fn of(policy: &Policy<'a>) -> Self {
        let view = View::of(policy.nodes);
        let all = figures(&view, 0, Start::ROOT);
        let leaf = leaf_calls(&view, 0, Start::ROOT);
        Self {
            name: policy.name,
            leaf_calls: count(leaf.calls),
            unpaid: leaf.unpaid,
            repeaters: Repeaters::around(policy.name, &view, leaf.node),
            unsafe_to_repeat: unsafe_to_repeat(policy),
            best: duration(all.best),
            fastest_failure: duration(all.failure),
            worst: bounded(all.worst),
            work: bounded(all.work),
            calls: count(all.calls),
            charges: Charges::of(&view),
        }
    }

    /// The policy's name.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// What a caller sees of the policy.
    #[must_use]
    pub const fn callee(&self) -> Callee<'_> {
        Callee {
            name: self.name,
            best: self.best,
            fastest_failure: self.fastest_failure,
            worst: self.worst,
            work: self.work,
            calls: self.calls,
            leaf_calls: self.leaf_calls,
            unpaid: self.unpaid,
            repeaters: self.repeaters.list.split_at(self.repeaters.len).0,
            unsafe_to_repeat: self.unsafe_to_repeat,
            charges: self.charges(),
        }
    }

    /// The most units that one run charges to each budget, for up to eight budgets; saturates at `u32::MAX`.
    ///
    /// An upper bound where an allowance inside refuses some of them.
    #[must_use]
    pub const fn charges(&self) -> &[Charge<'a>] {
        let (charges, _) = self.charges.list.split_at(self.charges.len);
        charges
    }

    /// The fastest success.
    #[must_use]
    pub const fn best(&self) -> Duration {
        self.best
    }

    /// The latest end; `None` where there is none.
    #[must_use]
    pub const fn worst(&self) -> Option<Duration> {
        self.worst
    }

    /// The fastest failure.
    #[must_use]
    pub const fn fastest_failure(&self) -> Duration {
        self.fastest_failure
    }

    /// The time that operations run, added over all of them; `None` where it has no bound.
    #[must_use]
    pub const fn work(&self) -> Option<Duration> {
        self.work
    }

    /// The most calls of the operations in all; `None` where there is no bound.
    #[must_use]
    pub const fn calls(&self) -> Option<u64> {
        self.calls
    }
}

impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Text::new()
            .push("best ")
            .time(self.best.as_nanos(), false)
            .push(", worst ");
        let text = match self.worst {
            Some(worst) => text.time(worst.as_nanos(), false),
            None => text.push("unbounded"),
        };
        let text = text.push(", calls ");
        let text = match self.calls {
            Some(calls) => text.number(u128::from(calls)),
            None => text.push("unbounded"),
        };
        f.write_str(text.as_str())
    }
}

const fn unsafe_to_repeat(policy: &Policy<'_>) -> bool {
    let mut i = 0;
    while i < policy.nodes.len() {
        match policy.nodes[i].kind {
            Kind::Attempt(attempt) if !attempt.idempotent && !attempt.key => return true,
            Kind::Call(callee) if callee.unsafe_to_repeat => return true,
            _ => {}
        }
        i += 1;
    }
    false
}

/// Whether the policy has that finding at that node, whatever its level.
#[must_use]
pub const fn has(policy: &Policy<'_>, lint: Lint, node: usize) -> bool {
    find(&View::of(policy.nodes), lint, node).is_some()
}

/// Whether the policy has that finding at that node or inside it, whatever its level.
#[must_use]
pub const fn has_inside(policy: &Policy<'_>, lint: Lint, node: usize) -> bool {
    let mut i = node;
    while i < node + policy.nodes[node].size {
        if has(policy, lint, i) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the policy has that finding at that node, and it is to be warned of.
#[must_use]
pub const fn warns(policy: &Policy<'_>, lint: Lint, node: usize) -> bool {
    matches!(policy.nodes[node].levels.get(lint), Level::Warn) && has(policy, lint, node)
}

/// What is said of a finding; `None` where there is none.
#[must_use]
pub const fn message(policy: &Policy<'_>, lint: Lint, node: usize) -> Option<Text> {
    let view = View::of(policy.nodes);
    match find(&view, lint, node) {
        Some(found) => Some(message::message(policy.name, &view, found)),
        None => None,
    }
}

/// The worst case, line by line: the attempts or steps inside the outermost limits.
#[must_use]
pub const fn timeline(policy: &Policy<'_>) -> Text {
    let view = View::of(policy.nodes);
    let have = match policy.nodes[0].kind {
        Kind::Timeout(limit) | Kind::Deadline(limit) => limit.hi.as_nanos(),
        _ => crate::amount::NONE,
    };
    message::timeline(Text::new(), &view, 0, have)
}

/// Refuses the policy if a finding at that node is denied.
///
/// # Panics
/// With what is said of the first denied finding.
#[track_caller]
pub const fn check(policy: &Policy<'_>, node: usize) {
    // Frames of const evaluation are few and a finding is rare, so the text is only built for one.
    let mut i = 0;
    while i < Lint::ALL.len() {
        let lint = Lint::ALL[i];
        if matches!(policy.nodes[node].levels.get(lint), Level::Deny)
            && let Some(text) = message(policy, lint, node)
        {
            panic!("{}", text.as_str());
        }
        i += 1;
    }
}

/// Refuses what a policy of one leaf has because of what its leaf calls: the findings of `calling` that `alone` hasn't.
///
/// # Panics
/// With what is said of the first denied finding.
#[track_caller]
pub const fn check_calling(alone: &Policy<'_>, calling: &Policy<'_>) {
    let leaf = alone.nodes.len() - 1;
    let mut node = 0;
    while node < calling.nodes.len() {
        let mut i = 0;
        while i < Lint::ALL.len() {
            let lint = Lint::ALL[i];
            if matches!(calling.nodes[node].levels.get(lint), Level::Deny)
                && !has(alone, lint, if node < leaf { node } else { leaf })
                && let Some(text) = message(calling, lint, node)
            {
                panic!("{}", text.as_str());
            }
            i += 1;
        }
        node += 1;
    }
}

/// Refuses the policy if any finding of it is denied.
///
/// # Panics
/// With what is said of the first denied finding.
#[track_caller]
pub const fn check_all(policy: &Policy<'_>) {
    let mut node = 0;
    while node < policy.nodes.len() {
        check(policy, node);
        node += 1;
    }
}
