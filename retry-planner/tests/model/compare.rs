//! One tree, twice: what the planner says against what the model shows.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use retry_planner::Lint;

use super::facts::{Fact, Facts, about_limits};
use super::outcome::ENDLESS;
use super::planner::Told;
use super::tree::{Attempts, Kind, Tree};

const MS: u128 = 1_000_000;

/// Repeats start before a deadline passes, at the latest a nanosecond before: where two deadlines are repeated together,
/// one lets repeats start between two milliseconds that the other then cuts.
fn between_milliseconds(tree: &Tree) -> bool {
    fn deadlines(tree: &Tree) -> usize {
        usize::from(matches!(tree.kind, Kind::Deadline(_))) + tree.kids.iter().map(deadlines).sum::<usize>()
    }
    matches!(tree.kind, Kind::Retry(_) | Kind::Hedge { .. }) && deadlines(tree) >= 2
}

/// Limits of one length hide each other: with either removed the other stands, so that neither is found.
fn twice_limited(tree: &Tree) -> bool {
    let (Kind::Timeout(d) | Kind::Deadline(d)) = tree.kind else {
        return false;
    };
    tree.kids[0].any(&|tree| matches!(tree.kind, Kind::Timeout(other) | Kind::Deadline(other) if other == d))
}

/// A limit over a retry in a retry: how soon the inner one can fail depends on what is left, which each attempt of the outer
/// one finds less of. The planner takes it to fail at once, and so may count an attempt that can't start.
fn fails_sooner_later(tree: &Tree) -> bool {
    let retry = |tree: &Tree| matches!(tree.kind, Kind::Retry(_));
    let nested = |tree: &Tree| retry(tree) && tree.kids[0].any(&retry);
    matches!(tree.kind, Kind::Timeout(_) | Kind::Deadline(_)) && tree.any(&nested)
}

/// A claim that doesn't hold for a tree.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) tree: String,
    pub(crate) size: usize,
    pub(crate) claim: &'static str,
    pub(crate) model: String,
    pub(crate) planner: String,
}

impl Display for Broken {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\n  claim: {}\n  model: {}\n  planner: {}",
            self.tree, self.claim, self.model, self.planner
        )
    }
}

/// How often an upper bound is reached where that isn't claimed.
#[derive(Default)]
pub(crate) struct Tightness {
    pub(crate) trees: usize,
    pub(crate) equal: usize,
    /// By the strongest finding: the smallest tree whose bound isn't reached, with both figures.
    pub(crate) loosest: BTreeMap<String, (usize, String)>,
}

/// What is counted over a family.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) trees: usize,
    pub(crate) exact: usize,
    pub(crate) broken: Vec<Broken>,
    pub(crate) tightness: BTreeMap<&'static str, Tightness>,
    /// Trees on which planner and model name the same facts about limits, node by node.
    pub(crate) same_findings: usize,
    /// Trees on which the strongest finding is the model's strongest fact.
    pub(crate) strongest: usize,
    pub(crate) with_findings: usize,
    /// Trees with a fact about a limit and no such finding, where that isn't claimed.
    pub(crate) missed: usize,
}

impl Report {
    pub(crate) fn merge(&mut self, other: Self) {
        self.trees += other.trees;
        self.exact += other.exact;
        self.broken.extend(other.broken);
        self.same_findings += other.same_findings;
        self.strongest += other.strongest;
        self.with_findings += other.with_findings;
        self.missed += other.missed;
        for (name, theirs) in other.tightness {
            let mine = self.tightness.entry(name).or_default();
            mine.trees += theirs.trees;
            mine.equal += theirs.equal;
            for (kind, (size, text)) in theirs.loosest {
                mine.smaller(kind, size, || text);
            }
        }
    }

    pub(crate) fn compare(&mut self, tree: &Tree, facts: &Facts, told: &Told) {
        self.trees += 1;
        let mut check = Check {
            report: self,
            tree,
            facts,
            told,
            exact: false,
        };
        check.findings();
        check.figures();
    }
}

impl Tightness {
    fn smaller(&mut self, kind: String, size: usize, text: impl FnOnce() -> String) {
        match self.loosest.get(&kind) {
            Some((known, _)) if *known <= size => {}
            _ => {
                self.loosest.insert(kind, (size, text()));
            }
        }
    }
}

struct Check<'a> {
    report: &'a mut Report,
    tree: &'a Tree,
    facts: &'a Facts,
    told: &'a Told,
    exact: bool,
}

impl Check<'_> {
    fn broken(&mut self, claim: &'static str, model: impl fmt::Debug, planner: impl fmt::Debug) {
        self.report.broken.push(Broken {
            tree: self.tree.to_string(),
            size: self.tree.size(),
            claim,
            model: format!("{model:?}"),
            planner: format!("{planner:?}"),
        });
    }

    /// Each finding is a fact; the strongest kind of fact is found, at the same nodes; nothing stays unfound.
    fn findings(&mut self) {
        let facts: Vec<Fact> = self.facts.about_limits().collect();
        let found: Vec<Fact> = self
            .told
            .findings
            .iter()
            .copied()
            .filter(|fact| about_limits(fact.lint))
            .collect();
        for fact in &found {
            if !facts.contains(fact) && !self.tree.any(&between_milliseconds) {
                self.broken("a finding about a limit is a fact of the model", &facts, fact);
            }
        }
        if facts.is_empty() != found.is_empty() && !self.tree.any(&twice_limited) {
            if found.is_empty() && self.tree.any(&fails_sooner_later) {
                self.report.missed += 1;
                return self.judge_others(&facts, &found);
            }
            self.broken(
                "where the model shows a fact about a limit, something is found",
                &facts,
                &found,
            );
        }
        if !facts.is_empty() {
            self.report.with_findings += 1;
            self.report.same_findings += usize::from(facts == found);
            self.report.strongest += usize::from(facts.first() == found.first());
        }
        self.judge_others(&facts, &found);
    }

    fn judge_others(&mut self, facts: &[Fact], found: &[Fact]) {
        // A deadline inside an unlimited retry ends it in some shapes that the planner takes for endless.
        let ends_by_clock = self.tree.any(&|tree| {
            matches!(&tree.kind, Kind::Retry(retry) if retry.attempts == Attempts::Unlimited)
                && tree.any(&|tree| matches!(tree.kind, Kind::Deadline(_)))
        });
        let (endless, found_endless) = (self.facts.has(Lint::Unbounded), self.told.has(Lint::Unbounded));
        if endless && !found_endless || found_endless && !endless && !ends_by_clock {
            self.broken(
                "unbounded exactly where a run has no end",
                self.facts.suprema.worst,
                &self.told.findings,
            );
        }
        let exceeded = (
            self.facts.has(Lint::RetryBudgetExceeded),
            self.told.has(Lint::RetryBudgetExceeded),
        );
        let binds = exceeded.0 || exceeded.1;
        if exceeded.0 && !exceeded.1 || found.is_empty() && exceeded.0 != exceeded.1 {
            self.broken(
                "an allowance is exceeded exactly where a run asks for more",
                exceeded.0,
                exceeded.1,
            );
        }
        // Rule 19: a limit may cut an open count without a finding.
        let open = self.tree.any(&|tree| matches!(&tree.kind, Kind::Retry(retry) if !matches!(retry.attempts, Attempts::Exactly(_))));
        let limit = self
            .tree
            .any(&|tree| matches!(tree.kind, Kind::Timeout(_) | Kind::Deadline(_)));
        self.exact = facts.is_empty()
            && found.is_empty()
            && !binds
            && !self.facts.unbounded_attempt
            && !(open && limit)
            && !self.tree.any(&twice_limited);
    }

    fn figures(&mut self) {
        self.report.exact += usize::from(self.exact);
        let (facts, told) = (self.facts, self.told);
        let suprema = &facts.suprema;
        let ms = |ms: u128| ms * MS;
        self.most("worst", suprema.worst.map(|worst| ms(worst.into())), told.worst);
        let calls = u128::from(suprema.figures.calls);
        self.most("calls", Some(calls), told.calls);
        for (model, planner) in suprema.figures.leaves.iter().zip(&told.leaves) {
            self.most("calls of a leaf", Some((*model).into()), *planner);
        }
        for (model, planner) in suprema.figures.charges.iter().zip(told.charges) {
            self.most("charges", Some((*model).into()), planner);
        }
        let work = (suprema.figures.work < ENDLESS).then_some(suprema.figures.work);
        self.most("work", work.map(|work| ms(work.into())), told.work);

        let Some(best) = suprema.best.map(|best| ms(best.into())) else {
            return;
        };
        let lower_only = self.tree.any(&|tree| match &tree.kind {
            Kind::Retry(retry) => retry.stop_on_timeout,
            Kind::Allowance { .. } => true,
            _ => false,
        });
        if told.best > best {
            self.broken("best isn't above the fastest success", best, told.best);
        } else if self.exact && !lower_only && told.best != best {
            self.broken("best is the fastest success", best, told.best);
        }
    }

    /// An upper bound; `None` is unbounded.
    fn most(&mut self, name: &'static str, model: Option<u128>, planner: Option<u128>) {
        let below = match (model, planner) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(model), Some(planner)) => planner < model,
        };
        // Where attempts are without count and nothing stops them, the model walks some of them.
        let walked_in_part = planner.is_none()
            && self.tree.any(
                &|tree| matches!(&tree.kind, Kind::Retry(retry) if retry.attempts == Attempts::Unlimited),
            );
        if below {
            let claim = match name {
                "worst" => "worst isn't below the supremum",
                "calls" => "calls aren't below the supremum",
                "calls of a leaf" => "calls of a leaf aren't below the supremum",
                "charges" => "charges aren't below the supremum",
                _ => "work isn't below the supremum",
            };
            self.broken(claim, model, planner);
        } else if self.exact && model != planner && !walked_in_part {
            let claim = match name {
                "worst" => "worst is the supremum",
                "calls" => "calls are the supremum",
                "calls of a leaf" => "calls of a leaf are the supremum",
                "charges" => "charges are the supremum",
                _ => "work is the supremum",
            };
            self.broken(claim, model, planner);
        } else if !self.exact && !walked_in_part {
            let (tree, facts) = (self.tree, self.facts);
            let tightness = self.report.tightness.entry(name).or_default();
            tightness.trees += 1;
            if model == planner {
                tightness.equal += 1;
            } else {
                let kind = facts.about_limits().next().map_or_else(
                    || {
                        if facts.unbounded_attempt {
                            "an attempt without a bound"
                        } else {
                            "an allowance"
                        }
                        .to_owned()
                    },
                    |fact| fact.lint.name().to_owned(),
                );
                tightness.smaller(kind, tree.size(), || {
                    format!("{tree}\n      model {model:?}, planner {planner:?}")
                });
            }
        }
    }
}
