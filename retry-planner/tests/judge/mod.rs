//! What the planner says of a policy's text.
#![allow(dead_code, reason = "each test file uses its own part")]

use retry_planner::plan::{Judged, Plan};
use retry_planner::{Level, Lint, Policy};
use retry_syntax::lower::OwnedCallee;
use retry_syntax::text::parse_str_with;

#[derive(Debug)]
pub(crate) struct Told {
    worst: Option<f64>,
    work: Option<f64>,
    calls: Option<u64>,
    findings: Vec<(Lint, Level)>,
}

impl Told {
    pub(crate) fn worst_ms(&self) -> Option<f64> {
        self.worst
    }

    pub(crate) fn work_ms(&self) -> Option<f64> {
        self.work
    }

    pub(crate) fn calls(&self) -> Option<u64> {
        self.calls
    }

    /// Whatever its level.
    pub(crate) fn has(&self, lint: Lint) -> bool {
        self.findings.iter().any(|(known, _)| *known == lint)
    }

    pub(crate) fn denials(&self) -> Vec<Lint> {
        self.at(&[Level::Deny])
    }

    pub(crate) fn denied(&self) -> bool {
        !self.denials().is_empty()
    }

    /// Denials and warnings.
    pub(crate) fn reported(&self) -> Vec<Lint> {
        self.at(&[Level::Deny, Level::Warn])
    }

    fn at(&self, levels: &[Level]) -> Vec<Lint> {
        let mut lints: Vec<Lint> = self
            .findings
            .iter()
            .filter(|(_, level)| levels.contains(level))
            .map(|(lint, _)| *lint)
            .collect();
        lints.sort_unstable();
        lints.dedup();
        lints
    }
}

fn told(policy: &Policy<'_>) -> Told {
    let judged = Judged::of(policy);
    let plan = judged.plan();
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let findings = judged.findings().map(|found| (found.lint, found.level)).collect();
    Told {
        worst: plan.worst().map(ms),
        work: plan.work().map(ms),
        calls: plan.calls(),
        findings,
    }
}

/// The one policy of a text.
pub(crate) fn with<T>(text: &str, ask: impl FnOnce(&Policy<'_>) -> T) -> T {
    let file = parse_str_with(text, &|policy| OwnedCallee::of(&Plan::of(policy).callee()))
        .unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    file.policies[0].policy.with(ask)
}

/// Plans the one policy of a text.
pub(crate) fn judge(text: &str) -> Told {
    with(text, told)
}

/// The faults of a text that can't be planned.
pub(crate) fn refused(text: &str) -> Vec<String> {
    parse_str_with(text, &|_| OwnedCallee::instant())
        .expect_err("the text is refused")
        .iter()
        .map(ToString::to_string)
        .collect()
}
