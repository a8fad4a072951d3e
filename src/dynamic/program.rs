//! What is left of a policy to run: limits as nanoseconds, budgets and hooks in place of their names.

use retry_planner as planner;
use retry_planner::{Policy, Range};
use retry_runtime::Budget;
use retry_runtime::hedge::HedgeSpec;
use retry_runtime::least::needs;
use retry_runtime::observer::Site;
use retry_runtime::retry::RetrySpec;
use retry_runtime::timer;
use retry_syntax::lower::OwnedPolicy;

use super::hooks::{Hooks, OnRetry, RetryAfter, Until, When, compact, kept, named};
use super::refused::Fault;

/// The most copies that a hedge holds side by side.
pub(super) const COPIES: usize = 16;

/// A policy that fits.
pub(super) struct Program<T, E> {
    pub(super) name: &'static str,
    pub(super) tree: OwnedPolicy,
    pub(super) root: Step<T, E>,
    pub(super) warnings: Vec<Fault>,
}

/// A node.
pub(super) struct Step<T, E> {
    /// What a composition calls its value.
    pub(super) name: &'static str,
    pub(super) kind: Kind<T, E>,
    pub(super) children: Vec<Self>,
}

/// What a node is, as far as running it goes.
pub(super) enum Kind<T, E> {
    Leaf(Leaf),
    Timeout(u64),
    Deadline(u64),
    Retry(Box<Retry<T, E>>),
    Hedge(Hedge),
    Allowance { budget: &'static Budget, limit: u32 },
    Series,
    Parallel,
    Fallback,
    Race,
}

/// The operation, and its own bound.
pub(super) struct Leaf {
    pub(super) site: Site,
    pub(super) bound: Option<u64>,
    pub(super) key: bool,
    /// Whether its operation is another policy's run.
    pub(super) call: bool,
}

/// Its child again, on error.
pub(super) struct Retry<T, E> {
    figures: planner::Retry<'static>,
    waits: Vec<Range>,
    least: u64,
    start_by: u64,
    pub(super) budget: Option<&'static Budget>,
    pub(super) when: Option<When<E>>,
    pub(super) until: Option<Until<T>>,
    pub(super) hint: Option<RetryAfter<E>>,
    pub(super) told: Option<OnRetry<E>>,
}

impl<T, E> Retry<T, E> {
    pub(super) fn spec(&self) -> RetrySpec<'_> {
        let backoff = match self.figures.backoff {
            planner::Backoff::Schedule { repeat_last, .. } => planner::Backoff::Schedule {
                waits: &self.waits,
                repeat_last,
            },
            other => other,
        };
        RetrySpec::new(
            planner::Retry {
                backoff,
                ..self.figures
            },
            self.least,
            self.start_by,
        )
    }

    pub(super) const fn unlimited(&self) -> bool {
        matches!(self.figures.attempts, planner::Attempts::Unlimited)
    }
}

/// Copies of its child.
pub(super) struct Hedge {
    pub(super) spec: HedgeSpec,
    pub(super) budget: Option<&'static Budget>,
}

/// A word of the file that takes code, and the name that stands behind it.
pub(super) struct Called<'s> {
    pub(super) node: usize,
    pub(super) word: &'static str,
    pub(super) code: &'s str,
}

/// What a program is made of.
pub(super) struct Linker<'l, T, E> {
    pub(super) policy: &'l Policy<'l>,
    pub(super) name: &'static str,
    pub(super) called: &'l [Called<'l>],
    pub(super) hooks: &'l Hooks<T, E>,
    pub(super) budgets: &'l [(String, &'static Budget)],
    /// What the file names and the program doesn't have: the node, the word that names it, and what is said.
    pub(super) missing: Vec<(usize, Option<&'static str>, String)>,
}

/// The leaves in order, each with the name that it goes by: its own, or that of the closest node around it.
pub(super) fn leaves<'a>(policy: &Policy<'a>) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    let mut around: Vec<(usize, &str)> = Vec::new();
    for (index, node) in policy.nodes.iter().enumerate() {
        while around.last().is_some_and(|(end, _)| *end <= index) {
            around.pop();
        }
        let outer = around.last().map_or("", |(_, name)| name);
        let name = if node.name.is_empty() { outer } else { node.name };
        match node.kind {
            planner::Kind::Call(callee) if name.is_empty() => found.push((index, callee.name)),
            planner::Kind::Attempt(_) | planner::Kind::Call(_) => found.push((index, name)),
            _ => around.push((index + node.size, name)),
        }
    }
    for (_, name) in &mut found {
        if name.is_empty() {
            *name = policy.name;
        }
    }
    found
}

impl<T, E> Linker<'_, T, E> {
    /// The node at `index` and what it holds.
    pub(super) fn step(&mut self, index: usize) -> Step<T, E> {
        let node = self.policy.nodes[index];
        let kind = match node.kind {
            planner::Kind::Attempt(attempt) => Kind::Leaf(Leaf {
                site: self.site(index),
                bound: attempt.bound.map(|_| timer::limit(self.policy, index)),
                key: attempt.key,
                call: false,
            }),
            planner::Kind::Call(_) => Kind::Leaf(Leaf {
                site: self.site(index),
                bound: None,
                key: false,
                call: true,
            }),
            planner::Kind::Timeout(_) => Kind::Timeout(timer::limit(self.policy, index)),
            planner::Kind::Deadline(_) => Kind::Deadline(timer::limit(self.policy, index)),
            planner::Kind::Retry(retry) => Kind::Retry(Box::new(self.retry(index, &retry))),
            planner::Kind::Hedge(hedge) => {
                if hedge.copies.hi as usize > COPIES {
                    let fault = format!("a hedge has at most {COPIES} copies, not {}", hedge.copies.hi);
                    self.missing.push((index, None, fault));
                }
                Kind::Hedge(Hedge {
                    spec: HedgeSpec::of(self.policy, index),
                    budget: hedge.budget.and_then(|charge| self.budget(index, charge.key)),
                })
            }
            planner::Kind::Allowance(allowance) => match self.budget(index, allowance.key) {
                Some(budget) => Kind::Allowance {
                    budget,
                    limit: allowance.limit.hi,
                },
                // Never run: what is missing refuses the policy.
                None => Kind::Series,
            },
            planner::Kind::Series => Kind::Series,
            planner::Kind::Parallel => Kind::Parallel,
            planner::Kind::Fallback => Kind::Fallback,
            planner::Kind::Race => Kind::Race,
        };
        let mut children = Vec::new();
        let mut child = index + 1;
        while child < index + node.size {
            children.push(self.step(child));
            child += self.policy.nodes[child].size;
        }
        Step {
            name: kept(node.name),
            kind,
            children,
        }
    }

    fn site(&self, index: usize) -> Site {
        let leaves = leaves(self.policy);
        let own = leaves.iter().find(|(leaf, _)| *leaf == index);
        Site {
            policy: self.name,
            leaf: own.map_or(self.name, |(_, name)| kept(name)),
        }
    }

    fn retry(&mut self, index: usize, retry: &planner::Retry<'_>) -> Retry<T, E> {
        let mut waits = Vec::new();
        let backoff = match retry.backoff {
            planner::Backoff::Schedule {
                waits: listed,
                repeat_last,
            } => {
                waits = listed.to_vec();
                planner::Backoff::Schedule {
                    waits: &[],
                    repeat_last,
                }
            }
            planner::Backoff::None => planner::Backoff::None,
            planner::Backoff::Fixed(wait) => planner::Backoff::Fixed(wait),
            planner::Backoff::Linear { base, max } => planner::Backoff::Linear { base, max },
            planner::Backoff::Exponential { base, factor, max } => {
                planner::Backoff::Exponential { base, factor, max }
            }
            planner::Backoff::Decorrelated { base, max } => planner::Backoff::Decorrelated { base, max },
        };
        let hooks = self.hooks;
        let until = self.hook(index, "until", &hooks.until);
        let (least, start_by) = needs(self.policy, index);
        Retry {
            figures: planner::Retry {
                attempts: retry.attempts,
                backoff,
                jitter: retry.jitter,
                // Charged through `budget` below.
                budget: None,
                when: retry.when,
                until: retry.until,
                stop_on_timeout: retry.stop_on_timeout,
                hint: retry.hint,
            },
            waits,
            least,
            start_by,
            budget: retry.budget.and_then(|charge| self.budget(index, charge.key)),
            when: self.hook(index, "when", &hooks.when),
            until,
            hint: self.hook(index, "retry_after", &hooks.retry_after),
            told: self.hook(index, "on_retry", &hooks.on_retry),
        }
    }

    fn hook<H: Clone>(&mut self, node: usize, word: &'static str, all: &[(String, H)]) -> Option<H> {
        let called = self
            .called
            .iter()
            .find(|called| called.node == node && called.word == word)?;
        let found = named(all, called.code);
        if found.is_none() {
            let names = all.iter().map(|(name, _)| name.as_str());
            let what = format!("no `{word}` called `{}`", called.code);
            self.missing
                .push((node, Some(word), unknown(&what, called.code, names)));
        }
        found
    }

    fn budget(&mut self, node: usize, key: &str) -> Option<&'static Budget> {
        let key = compact(key);
        let found = self.budgets.iter().find(|(name, _)| *name == key);
        if found.is_none() {
            let names = self.budgets.iter().map(|(name, _)| name.as_str());
            let fault = unknown(&format!("no budget `{key}`"), &key, names);
            self.missing.push((node, None, fault));
        }
        found.map(|(_, budget)| *budget)
    }
}

/// What is said of a name that the program doesn't have.
pub(super) fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> String {
    match retry_syntax::words::nearest(name, known) {
        Some(near) => format!("this program has {what}\n  help: did you mean `{near}`?"),
        None => format!("this program has {what}"),
    }
}
