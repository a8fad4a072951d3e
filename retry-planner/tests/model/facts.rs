//! What the model shows possible or impossible about a tree, in the planner's words.

use retry_planner::Lint;

use super::game::{Events, Game, Suprema, WhatIf};
use super::tree::{Attempt, Attempts, Kind, Tree};

/// A fact and the node that it is about, by its index in the planner's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fact {
    pub(crate) lint: Lint,
    pub(crate) node: usize,
}

/// The suprema of a tree, and what follows from them.
pub(crate) struct Facts {
    pub(crate) suprema: Suprema,
    /// Without regard to what follows from what: everything that holds by itself.
    pub(crate) all: Vec<Fact>,
    /// Whether an attempt has neither a bound nor a greatest time.
    pub(crate) unbounded_attempt: bool,
}

/// A node of the planner's tree: callees are leaves there.
pub(crate) struct Seen<'t> {
    pub(crate) tree: &'t Tree,
    /// Its index among the model's nodes, where a callee's own nodes follow it.
    pub(crate) game: usize,
    /// The children's indices in the planner's tree.
    pub(crate) kids: Vec<usize>,
}

/// The planner's nodes in order.
pub(crate) fn seen(tree: &Tree) -> Vec<Seen<'_>> {
    fn walk<'t>(tree: &'t Tree, game: &mut usize, into: &mut Vec<Seen<'t>>) -> usize {
        let at = into.len();
        into.push(Seen {
            tree,
            game: *game,
            kids: Vec::new(),
        });
        if tree.kind == Kind::Call {
            *game += tree.size();
        } else {
            *game += 1;
            let kids = tree.kids.iter().map(|kid| walk(kid, game, into)).collect();
            into[at].kids = kids;
        }
        at
    }
    let mut into = Vec::new();
    walk(tree, &mut 0, &mut into);
    into
}

/// Whether an attempt inside may run on as long as nothing further out ends it.
fn open(tree: &Tree) -> bool {
    match &tree.kind {
        Kind::Attempt(attempt) => unbounded(attempt),
        Kind::Timeout(_) | Kind::Deadline(_) => false,
        Kind::Retry(retry) if retry.hint == Some(None) => true,
        _ => tree.kids.iter().any(open),
    }
}

pub(crate) fn unbounded(attempt: &Attempt) -> bool {
    attempt.bound.is_none() && attempt.takes.is_none_or(|(_, max)| max.is_none())
}

impl Facts {
    pub(crate) fn of(tree: &Tree) -> Self {
        let nodes = seen(tree);
        let mut game = Game::new(tree, WhatIf::default());
        let suprema = game.suprema();
        let happens = suprema.figures.events;
        let mut free = Game::new(
            tree,
            WhatIf {
                without_allowances: true,
                ..WhatIf::default()
            },
        );
        let unrefused = free.suprema().figures.events;
        let mut one = Game::new(
            tree,
            WhatIf {
                without_allowances: true,
                one_attempt: true,
                ..WhatIf::default()
            },
        );
        let single = one.suprema().figures.events;

        let mut all = Vec::new();
        let mut fact = |lint, node| all.push(Fact { lint, node });
        if suprema.worst.is_none() {
            fact(Lint::Unbounded, 0);
        }
        for (at, node) in nodes.iter().enumerate() {
            let Events {
                started,
                can_act,
                can_succeed,
                could_succeed,
                over,
                again,
            } = game.events(node.game);
            if happens & started == 0 {
                continue;
            }
            let limit = matches!(
                node.tree.kind,
                Kind::Timeout(_) | Kind::Deadline(_) | Kind::Attempt(Attempt { bound: Some(_), .. })
            );
            if limit && happens & can_succeed == 0 && happens & could_succeed != 0 {
                fact(Lint::Impossible, at);
            }
            if limit && happens & can_act == 0 {
                fact(Lint::NeverFires, at);
            }
            match &node.tree.kind {
                Kind::Timeout(_) | Kind::Deadline(_) if !open(&node.tree.kids[0]) => {
                    let what_if = WhatIf {
                        without_limit: Some(node.game),
                        one_attempt: true,
                        without_allowances: true,
                    };
                    let mut without = Game::new(tree, what_if);
                    if without.suprema().figures.events & over != 0 {
                        fact(Lint::CannotFit, at);
                    }
                }
                Kind::Allowance { .. } if unrefused & over != 0 => fact(Lint::RetryBudgetExceeded, at),
                Kind::Retry(retry) => {
                    if let Attempts::Exactly(n) = retry.attempts
                        && (1..n).any(|k| single & again << (k - 1).min(4) == 0)
                    {
                        fact(Lint::Unreachable, at);
                    }
                }
                Kind::Hedge { copies, .. } => {
                    if (1..*copies).any(|k| single & again << (k - 1).min(4) == 0) {
                        fact(Lint::Unreachable, at);
                    }
                }
                // What unlimited attempts never leave has no limit to blame.
                Kind::Series | Kind::Fallback if suprema.worst.is_some() => {
                    for &kid in &node.kids {
                        if happens & game.events(nodes[kid].game).started == 0 {
                            fact(Lint::Unreachable, kid);
                        }
                    }
                }
                _ => {}
            }
        }
        all.sort_unstable();
        let unbounded_attempt = tree.any(&|tree| match &tree.kind {
            Kind::Attempt(attempt) => unbounded(attempt),
            _ => false,
        });
        Self {
            suprema,
            all,
            unbounded_attempt,
        }
    }

    pub(crate) fn has(&self, lint: Lint) -> bool {
        self.all.iter().any(|fact| fact.lint == lint)
    }

    /// The facts about limits alone.
    pub(crate) fn about_limits(&self) -> impl Iterator<Item = Fact> {
        self.all.iter().copied().filter(|fact| about_limits(fact.lint))
    }
}

pub(crate) fn about_limits(lint: Lint) -> bool {
    matches!(
        lint,
        Lint::Impossible | Lint::Unreachable | Lint::NeverFires | Lint::CannotFit
    )
}
