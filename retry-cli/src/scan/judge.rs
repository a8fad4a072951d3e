//! From what was written to its plans; callees are looked up by name among all that was found.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use proc_macro2::TokenStream;
use retry_planner::Plan;
use retry_syntax::lower::{OwnedCallee, lower};

use super::find::{self, Own, Policy, Tree, last_word};
use super::{Found, Report};
use crate::plan::Planned;
use crate::plan::report::plan_placed;

/// What can be found without knowing a value.
const VALUE_FREE: [&str; 4] = ["no_jitter", "retry_unsafe", "hedge_unsafe", "no_attempt_timeout"];

/// Policies that call each other further than this are unknown.
const MAX_CHAIN: usize = 32;

/// Plans all of it.
pub(super) fn judge(written: find::Found) -> Report {
    let known = Known::of(&written.policies);
    let mut found = Vec::with_capacity(written.policies.len());
    for policy in &written.policies {
        let (runs, (plan, unknown)) = match &policy.tree {
            Tree::Own(own) => (None, known.planned(&policy.name, own)),
            Tree::Named(name) => {
                let named = known
                    .by_name(name)
                    .map(|(_, own)| known.planned(&policy.name, own));
                // What is wrong with the named policy is said where that stands.
                let (plan, unknown) = named.unwrap_or_else(|| (unplanned(&policy.name), 1));
                let plan = Planned {
                    findings: Vec::new(),
                    ..plan
                };
                (Some(name.clone()), (plan, unknown))
            }
        };
        found.push(Found {
            file: policy.file.clone(),
            line: policy.line,
            form: policy.form,
            runs,
            unknown_values: unknown,
            plan,
        });
    }
    Report {
        found,
        skipped: written.skipped,
    }
}

/// The named policies, and what callers see of those that were looked at.
struct Known<'a> {
    /// By name; more than one of a name can't be told apart.
    named: HashMap<&'a str, Vec<&'a Own>>,
    /// `None` while it is looked at, so that a policy which runs itself is unknown to itself.
    seen: RefCell<HashMap<&'a str, Option<OwnedCallee>>>,
    /// How many policies that call each other are being looked at.
    deep: Cell<usize>,
}

impl<'a> Known<'a> {
    fn of(policies: &'a [Policy]) -> Self {
        let mut named: HashMap<&str, Vec<&Own>> = HashMap::new();
        for policy in policies.iter().filter(|policy| policy.form == "policy") {
            if let Tree::Own(own) = &policy.tree {
                named.entry(&policy.name).or_default().push(own);
            }
        }
        Self {
            named,
            seen: RefCell::default(),
            deep: Cell::new(0),
        }
    }

    fn by_name(&self, name: &str) -> Option<(&'a str, &'a Own)> {
        let (name, policies) = self.named.get_key_value(name)?;
        match policies.as_slice() {
            [only] => Some((name, only)),
            _ => None,
        }
    }

    /// The plan, and how many of its values are unknown.
    fn planned(&self, name: &str, own: &Own) -> (Planned, usize) {
        let (policy, unknown) = lower(name, &own.levels, &own.root, &mut |path| self.callee(path));
        let unknown = unknown.len() + own.calls;
        let mut plan = plan_placed(&policy, &own.places, &own.expected);
        if unknown > 0 {
            // Figures of values that could be anything say nothing; these findings hold whatever the values are.
            plan.findings.retain(|finding| VALUE_FREE.contains(&finding.lint));
            (plan.worst_ns, plan.work_ns, plan.calls) = (None, None, None);
            plan.timeline.clear();
        }
        (plan, unknown)
    }

    fn callee(&self, path: &TokenStream) -> Option<OwnedCallee> {
        let (name, own) = self.by_name(&last_word(path))?;
        if let Some(seen) = self.seen.borrow().get(name) {
            return seen.clone();
        }
        if self.deep.get() >= MAX_CHAIN {
            return None;
        }
        self.deep.set(self.deep.get() + 1);
        self.seen.borrow_mut().insert(name, None);
        let (policy, unknown) = lower(name, &own.levels, &own.root, &mut |path| self.callee(path));
        let callee = unknown
            .is_empty()
            .then(|| policy.with(|policy| OwnedCallee::of(&Plan::of(policy).callee())));
        self.deep.set(self.deep.get() - 1);
        self.seen.borrow_mut().insert(name, callee.clone());
        callee
    }
}

/// What is said of a policy that isn't in this tree.
fn unplanned(name: &str) -> Planned {
    Planned {
        name: name.to_owned(),
        best_ns: 0,
        worst_ns: None,
        work_ns: None,
        calls: None,
        leaves: Vec::new(),
        budgets: Vec::new(),
        findings: Vec::new(),
        timeline: Vec::new(),
    }
}
