//! The planner's tree with its own strings and lists, for callers that have no `const` to keep them in.

use std::time::Duration;

use proc_macro2::TokenStream;
use retry_planner::{
    Allowance, Attempt, Attempts, Backoff, Callee, Charge, Count, Factor, Hedge, Hint, Jitter, Kind, Levels,
    Node, Policy, Range, Repeater, Retry, Takes,
};

use super::{DEFAULT_BASE_MS, DEFAULT_MAX_S};
use crate::ast::{self, LevelAttr, NodeKind, Value};

/// A policy that owns its tree.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedPolicy {
    /// What errors call it.
    pub name: String,
    /// The nodes in preorder.
    pub nodes: Vec<OwnedNode>,
}

/// A node that owns its strings and lists; the planner's node is made by `view`.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedNode {
    name: String,
    size: usize,
    levels: Levels,
    /// With empty strings and lists in place of those below.
    kind: Kind<'static>,
    /// The key of a budget, or the name of a callee.
    text: String,
    waits: Vec<Range>,
    charges: Vec<(String, u32)>,
    repeaters: Vec<(String, Option<u64>)>,
}

impl OwnedPolicy {
    /// Hands out the policy as the planner takes it.
    pub fn with<R>(&self, plan: impl FnOnce(&Policy<'_>) -> R) -> R {
        let lists: Vec<_> = self
            .nodes
            .iter()
            .map(|node| (node.charges(), node.repeaters()))
            .collect();
        let nodes: Vec<Node<'_>> = self
            .nodes
            .iter()
            .zip(&lists)
            .map(|(node, (charges, repeaters))| node.view(charges, repeaters))
            .collect();
        plan(&Policy {
            name: &self.name,
            nodes: &nodes,
        })
    }

    /// A copy of a planner's policy that owns what it holds.
    #[must_use]
    pub fn of(policy: &Policy<'_>) -> Self {
        Self {
            name: policy.name.to_owned(),
            nodes: policy.nodes.iter().map(OwnedNode::of).collect(),
        }
    }
}

impl OwnedNode {
    fn charges(&self) -> Vec<Charge<'_>> {
        self.charges
            .iter()
            .map(|(key, cost)| Charge { key, cost: *cost })
            .collect()
    }

    fn repeaters(&self) -> Vec<Repeater<'_>> {
        self.repeaters
            .iter()
            .map(|(name, times)| Repeater { name, times: *times })
            .collect()
    }

    fn view<'a>(&'a self, charges: &'a [Charge<'a>], repeaters: &'a [Repeater<'a>]) -> Node<'a> {
        let charge = |budget: Option<Charge<'static>>| {
            budget.map(|budget| Charge {
                key: self.text.as_str(),
                cost: budget.cost,
            })
        };
        let kind: Kind<'a> = match self.kind {
            Kind::Retry(retry) => {
                let backoff = match retry.backoff {
                    Backoff::Schedule { repeat_last, .. } => Backoff::Schedule {
                        waits: &self.waits,
                        repeat_last,
                    },
                    backoff => backoff,
                };
                Kind::Retry(Retry {
                    backoff,
                    budget: charge(retry.budget),
                    ..retry
                })
            }
            Kind::Hedge(hedge) => Kind::Hedge(Hedge {
                budget: charge(hedge.budget),
                ..hedge
            }),
            Kind::Allowance(allowance) => Kind::Allowance(Allowance {
                key: &self.text,
                ..allowance
            }),
            Kind::Call(callee) => Kind::Call(Callee {
                name: &self.text,
                charges,
                repeaters,
                ..callee
            }),
            kind => kind,
        };
        Node {
            name: &self.name,
            size: self.size,
            levels: self.levels,
            kind,
        }
    }

    fn of(node: &Node<'_>) -> Self {
        let mut text = String::new();
        let mut waits = Vec::new();
        let mut charges = Vec::new();
        let mut repeaters = Vec::new();
        let mut charge = |budget: Option<Charge<'_>>| {
            budget.map(|budget| {
                budget.key.clone_into(&mut text);
                Charge {
                    key: "",
                    cost: budget.cost,
                }
            })
        };
        let kind = match node.kind {
            Kind::Retry(retry) => {
                let backoff = match retry.backoff {
                    Backoff::Schedule {
                        waits: listed,
                        repeat_last,
                    } => {
                        waits = listed.to_vec();
                        Backoff::Schedule {
                            waits: &[],
                            repeat_last,
                        }
                    }
                    Backoff::None => Backoff::None,
                    Backoff::Fixed(wait) => Backoff::Fixed(wait),
                    Backoff::Linear { base, max } => Backoff::Linear { base, max },
                    Backoff::Exponential { base, factor, max } => Backoff::Exponential { base, factor, max },
                    Backoff::Decorrelated { base, max } => Backoff::Decorrelated { base, max },
                };
                Kind::Retry(Retry {
                    attempts: retry.attempts,
                    backoff,
                    jitter: retry.jitter,
                    budget: charge(retry.budget),
                    when: retry.when,
                    until: retry.until,
                    stop_on_timeout: retry.stop_on_timeout,
                    hint: retry.hint,
                })
            }
            Kind::Hedge(hedge) => Kind::Hedge(Hedge {
                after: hedge.after,
                copies: hedge.copies,
                budget: charge(hedge.budget),
            }),
            Kind::Allowance(allowance) => {
                allowance.key.clone_into(&mut text);
                Kind::Allowance(Allowance {
                    key: "",
                    limit: allowance.limit,
                })
            }
            Kind::Call(callee) => {
                let owned = OwnedCallee::of(&callee);
                text = owned.name;
                charges = owned.charges;
                repeaters = owned.repeaters;
                Kind::Call(owned.figures)
            }
            Kind::Attempt(attempt) => Kind::Attempt(attempt),
            Kind::Timeout(limit) => Kind::Timeout(limit),
            Kind::Deadline(limit) => Kind::Deadline(limit),
            Kind::Series => Kind::Series,
            Kind::Parallel => Kind::Parallel,
            Kind::Fallback => Kind::Fallback,
            Kind::Race => Kind::Race,
        };
        Self {
            name: node.name.to_owned(),
            size: node.size,
            levels: node.levels,
            kind,
            text,
            waits,
            charges,
            repeaters,
        }
    }
}

fn callee_figures(callee: &Callee<'_>) -> Callee<'static> {
    Callee {
        name: "",
        best: callee.best,
        fastest_failure: callee.fastest_failure,
        worst: callee.worst,
        work: callee.work,
        calls: callee.calls,
        leaf_calls: callee.leaf_calls,
        unpaid: callee.unpaid,
        repeaters: &[],
        unsafe_to_repeat: callee.unsafe_to_repeat,
        charges: &[],
    }
}

/// Where a tree holds something that only const evaluation knows.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The node.
    pub index: usize,
    /// The expression, or the callee's path.
    pub tokens: TokenStream,
}

/// The planner's tree of what was written.
///
/// Values that are expressions are taken as anything they could be, and listed; so are callees that `callee` doesn't know.
pub fn lower(
    name: &str,
    levels: &[LevelAttr],
    root: &ast::Node,
    callee: &mut dyn FnMut(&TokenStream) -> Option<OwnedCallee>,
) -> (OwnedPolicy, Vec<Unknown>) {
    let in_force = super::levels(levels, root);
    let mut lowering = Lowering {
        unknown: Vec::new(),
        index: 0,
        callee,
    };
    let nodes = root
        .preorder()
        .into_iter()
        .map(|node| {
            lowering.index = node.index;
            lowering.node(node, in_force.get(node.index).copied().unwrap_or(Levels::DEFAULT))
        })
        .collect();
    (
        OwnedPolicy {
            name: name.to_owned(),
            nodes,
        },
        lowering.unknown,
    )
}

/// A callee's figures, with its own strings.
#[derive(Clone, Debug)]
pub struct OwnedCallee {
    name: String,
    /// With empty strings and lists in place of the others.
    figures: Callee<'static>,
    charges: Vec<(String, u32)>,
    repeaters: Vec<(String, Option<u64>)>,
}

impl OwnedCallee {
    /// A copy that owns what it holds.
    #[must_use]
    pub fn of(callee: &Callee<'_>) -> Self {
        let charges = callee
            .charges
            .iter()
            .map(|charge| (charge.key.to_owned(), charge.cost))
            .collect();
        let repeaters = callee
            .repeaters
            .iter()
            .map(|one| (one.name.to_owned(), one.times))
            .collect();
        Self {
            name: callee.name.to_owned(),
            figures: callee_figures(callee),
            charges,
            repeaters,
        }
    }

    /// A callee that takes no time and makes one call.
    #[must_use]
    pub fn instant() -> Self {
        open_callee()
    }
}

struct Lowering<'c> {
    unknown: Vec<Unknown>,
    index: usize,
    callee: &'c mut dyn FnMut(&TokenStream) -> Option<OwnedCallee>,
}

impl Lowering<'_> {
    fn open(&mut self, tokens: &TokenStream) {
        self.unknown.push(Unknown {
            index: self.index,
            tokens: tokens.clone(),
        });
    }

    fn range(&mut self, value: &Value<Duration>) -> Range {
        match value {
            Value::Literal(value, _) => Range::exact(*value),
            Value::Expr(tokens) => {
                self.open(tokens);
                Range {
                    lo: Duration::ZERO,
                    hi: Duration::MAX,
                }
            }
        }
    }

    fn maybe(&mut self, value: Option<&Value<Duration>>) -> Option<Range> {
        value.map(|value| self.range(value))
    }

    fn count(&mut self, value: &Value<u32>) -> Count {
        match value {
            Value::Literal(value, _) => Count::exact(*value),
            Value::Expr(tokens) => {
                self.open(tokens);
                Count { lo: 1, hi: u32::MAX }
            }
        }
    }

    fn factor(&mut self, value: &Value<Factor>) -> Factor {
        match value {
            Value::Literal(value, _) => *value,
            Value::Expr(tokens) => {
                self.open(tokens);
                Factor::whole(1)
            }
        }
    }

    fn node(&mut self, node: &ast::Node, levels: Levels) -> OwnedNode {
        let mut text = String::new();
        let mut waits = Vec::new();
        let mut charges = Vec::new();
        let mut repeaters = Vec::new();
        let kind = match &node.kind {
            NodeKind::Attempt(attempt) => Kind::Attempt(self.attempt(attempt)),
            NodeKind::Timeout(limit) => Kind::Timeout(self.range(&limit.limit)),
            NodeKind::Deadline(limit) => Kind::Deadline(self.range(&limit.limit)),
            NodeKind::Retry(retry) => Kind::Retry(self.retry(retry, &mut text, &mut waits)),
            NodeKind::Hedge(hedge) => Kind::Hedge(Hedge {
                after: self.range(&hedge.after),
                copies: self.count(&hedge.copies),
                budget: charge(hedge.budget.as_ref(), &mut text),
            }),
            NodeKind::Allowance(allowance) => {
                allowance.budget.key.clone_into(&mut text);
                Kind::Allowance(Allowance {
                    key: "",
                    limit: self.count(&allowance.limit),
                })
            }
            NodeKind::Series(_) => Kind::Series,
            NodeKind::Parallel(_) => Kind::Parallel,
            NodeKind::Fallback(_) => Kind::Fallback,
            NodeKind::Race(_) => Kind::Race,
            NodeKind::Call(call) => {
                text = call.policy.to_string().replace(' ', "");
                let known = (self.callee)(&call.policy);
                if known.is_none() {
                    self.open(&call.policy);
                }
                let known = known.unwrap_or_else(open_callee);
                charges = known.charges;
                repeaters = known.repeaters;
                Kind::Call(known.figures)
            }
        };
        let name = node.name.as_ref().map(ToString::to_string).unwrap_or_default();
        OwnedNode {
            name,
            size: node.size,
            levels,
            kind,
            text,
            waits,
            charges,
            repeaters,
        }
    }

    fn attempt(&mut self, attempt: &ast::Attempt) -> Attempt {
        let takes = attempt.takes.as_ref().map(|takes| Takes {
            min: takes
                .min
                .as_ref()
                .map_or(Range::exact(Duration::ZERO), |min| self.range(min)),
            max: takes.max.as_ref().map(|max| self.range(max)),
        });
        let idempotent = match &attempt.idempotent {
            Some(Value::Literal(value, _)) => *value,
            Some(Value::Expr(tokens)) => {
                self.open(tokens);
                true
            }
            None => true,
        };
        Attempt {
            bound: self.maybe(attempt.bound.as_ref()),
            takes,
            idempotent,
            key: attempt.key.is_some(),
        }
    }

    fn retry(&mut self, retry: &ast::Retry, text: &mut String, waits: &mut Vec<Range>) -> Retry<'static> {
        let attempts = match &retry.attempts {
            ast::Attempts::Exactly(n) => Attempts::Exactly(self.count(n)),
            ast::Attempts::UpTo(n) => Attempts::UpTo(self.count(n)),
            ast::Attempts::Unlimited(_) => Attempts::Unlimited,
        };
        let backoff = match &retry.backoff {
            None => default_backoff(),
            Some(backoff) => self.backoff(&backoff.kind, waits),
        };
        let jitter = retry.jitter.as_ref().map(|jitter| match &jitter.kind {
            ast::JitterKind::None => Jitter::None,
            ast::JitterKind::Full => Jitter::Full,
            ast::JitterKind::Equal => Jitter::Equal,
            ast::JitterKind::Spread(share) => Jitter::Spread(self.factor(share)),
            ast::JitterKind::Expr(tokens) => {
                self.open(tokens);
                Jitter::Full
            }
        });
        Retry {
            attempts,
            backoff,
            jitter,
            budget: charge(retry.budget.as_ref(), text),
            when: retry.when.is_some(),
            until: retry.until.is_some(),
            stop_on_timeout: retry.stop_on_timeout,
            hint: retry.retry_after.as_ref().map(|_| Hint {
                max: self.maybe(retry.retry_after_max.as_ref()),
            }),
        }
    }

    fn backoff(&mut self, kind: &ast::BackoffKind, waits: &mut Vec<Range>) -> Backoff<'static> {
        match kind {
            ast::BackoffKind::None => Backoff::None,
            ast::BackoffKind::Fixed(wait) => Backoff::Fixed(self.range(wait)),
            ast::BackoffKind::Linear { base, max } => Backoff::Linear {
                base: self.range(base),
                max: self.maybe(max.as_ref()),
            },
            ast::BackoffKind::Exponential { base, factor, max } => Backoff::Exponential {
                base: self.range(base),
                factor: factor
                    .as_ref()
                    .map_or(Factor::whole(2), |factor| self.factor(factor)),
                max: self.maybe(max.as_ref()),
            },
            ast::BackoffKind::Decorrelated { base, max } => Backoff::Decorrelated {
                base: self.range(base),
                max: self.maybe(max.as_ref()),
            },
            ast::BackoffKind::Schedule {
                waits: listed,
                repeat_last,
            } => {
                *waits = listed.iter().map(|wait| self.range(wait)).collect();
                Backoff::Schedule {
                    waits: &[],
                    repeat_last: *repeat_last,
                }
            }
            ast::BackoffKind::Expr(tokens) => {
                self.open(tokens);
                default_backoff()
            }
        }
    }
}

fn default_backoff() -> Backoff<'static> {
    Backoff::Exponential {
        base: Range::exact(Duration::from_millis(DEFAULT_BASE_MS)),
        factor: Factor::whole(2),
        max: Some(Range::exact(Duration::from_secs(DEFAULT_MAX_S))),
    }
}

fn charge(budget: Option<&ast::Budget>, text: &mut String) -> Option<Charge<'static>> {
    budget.map(|budget| {
        budget.key.clone_into(text);
        Charge { key: "", cost: 1 }
    })
}

/// A callee of which nothing is known: it may be as fast and as slow as can be.
fn open_callee() -> OwnedCallee {
    OwnedCallee {
        name: String::new(),
        figures: Callee {
            name: "",
            best: Duration::ZERO,
            fastest_failure: Duration::ZERO,
            worst: Some(Duration::ZERO),
            work: Some(Duration::ZERO),
            calls: Some(1),
            leaf_calls: Some(1),
            unpaid: 0,
            repeaters: &[],
            unsafe_to_repeat: false,
            charges: &[],
        },
        charges: Vec::new(),
        repeaters: Vec::new(),
    }
}
