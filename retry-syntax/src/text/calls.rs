//! The policies of one text in the order of their calls: callees first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use proc_macro2::{Span, TokenStream};
use retry_planner::Policy;

use crate::ast::{NamedPolicy, first_span};
use crate::errors::{Diagnostic, Errors};
use crate::lower::{OwnedCallee, OwnedPolicy, lower};
use crate::words::nearest;

/// How deep the policies of a text may call each other.
const DEEPEST: usize = 64;

/// A lowered policy, and how deep it calls others.
struct Done {
    policy: OwnedPolicy,
    depth: usize,
}

struct Calls<'a> {
    policies: &'a [NamedPolicy],
    plan: &'a dyn Fn(&Policy<'_>) -> OwnedCallee,
    names: HashMap<String, usize>,
    done: Vec<Option<Done>>,
    /// The policies that are being lowered, each called by the one before it.
    open: Vec<usize>,
}

/// Lowers each policy; what a `call` sees of its callee is told by `plan`.
pub(super) fn lowered(
    policies: &[NamedPolicy],
    plan: &dyn Fn(&Policy<'_>) -> OwnedCallee,
    errors: &mut Errors,
) -> Vec<Option<OwnedPolicy>> {
    let mut names = HashMap::new();
    for (n, policy) in policies.iter().enumerate() {
        let name = &policy.ident;
        match names.entry(name.to_string()) {
            Entry::Vacant(free) => {
                free.insert(n);
            }
            Entry::Occupied(_) => errors.push(
                Diagnostic::new(name.span(), format!("two policies are called `{name}`"))
                    .help("give each its own name"),
            ),
        }
    }
    let mut calls = Calls {
        policies,
        plan,
        names,
        done: policies.iter().map(|_| None).collect(),
        open: Vec::new(),
    };
    for n in 0..policies.len() {
        calls.lower(n, errors);
    }
    calls
        .done
        .into_iter()
        .map(|done| done.map(|done| done.policy))
        .collect()
}

impl Calls<'_> {
    fn lower(&mut self, n: usize, errors: &mut Errors) {
        if self.done[n].is_some() {
            return;
        }
        self.open.push(n);
        let written = &self.policies[n];
        let mut depth = 0;
        let mut callee = |path: &TokenStream| {
            let (callee, deep) = self.callee(path, errors);
            depth = depth.max(deep);
            Some(callee)
        };
        let name = written.ident.to_string();
        let (policy, unknown) = lower(&name, &written.levels, &written.root, &mut callee);
        for unknown in unknown {
            let text = unknown.tokens.to_string();
            errors.push(
                Diagnostic::new(
                    first_span(&unknown.tokens),
                    format!("a text has no constants, found `{text}`"),
                )
                .help("write the value itself"),
            );
        }
        self.open.pop();
        self.done[n] = Some(Done { policy, depth });
    }

    /// What is seen of a callee, and how deep the call goes; a fault stands for a callee that does nothing.
    fn callee(&mut self, path: &TokenStream, errors: &mut Errors) -> (OwnedCallee, usize) {
        let (span, name) = (first_span(path), path.to_string());
        let Some(&found) = self.names.get(&name) else {
            errors.push(self.unknown(span, &name));
            return (OwnedCallee::instant(), 1);
        };
        if self.open.contains(&found) {
            errors.push(Diagnostic::new(
                span,
                format!("`{name}` calls itself, so its plan has no end"),
            ));
            return (OwnedCallee::instant(), 1);
        }
        if self.open.len() < DEEPEST {
            self.lower(found, errors);
        }
        match &self.done[found] {
            Some(Done { policy, depth }) if *depth < DEEPEST => (policy.with(self.plan), depth + 1),
            _ => {
                errors.push(Diagnostic::new(
                    span,
                    format!("policies call each other at most {DEEPEST} deep"),
                ));
                (OwnedCallee::instant(), 1)
            }
        }
    }

    fn unknown(&self, span: Span, name: &str) -> Diagnostic {
        let fault = Diagnostic::new(
            span,
            format!("this text has no policy `{}`", name.replace(' ', "")),
        );
        let known: Vec<String> = self
            .policies
            .iter()
            .map(|policy| policy.ident.to_string())
            .collect();
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help("a `call` in a text names another policy of the same text"),
        }
    }
}
