//! Rules that need more than one token, on a tree that is read: what a literal may be, and what goes together.

use std::time::Duration;

use proc_macro2::Ident;
use retry_planner::Factor;

use crate::ast::{Attempt, Attempts, Backoff, BackoffKind, Jitter, JitterKind, Node, NodeKind, Retry, Value};
use crate::errors::{Diagnostic, Errors};
use crate::literal::{spell, spell_factor};

/// The rules of one tree.
pub(crate) fn tree(root: &Node, errors: &mut Errors) {
    for node in root.preorder() {
        match &node.kind {
            NodeKind::Attempt(attempt) => check_attempt(attempt, errors),
            NodeKind::Timeout(limit) => not_zero(&limit.limit, "timeout", errors),
            NodeKind::Deadline(limit) => not_zero(&limit.limit, "deadline", errors),
            NodeKind::Retry(retry) => check_retry(retry, errors),
            NodeKind::Series(all)
            | NodeKind::Parallel(all)
            | NodeKind::Fallback(all)
            | NodeKind::Race(all) => {
                names(all.iter().filter_map(|child| child.name.as_ref()), errors);
            }
            NodeKind::Hedge(_) | NodeKind::Allowance(_) | NodeKind::Call(_) => {}
        }
    }
}

/// The rules of a named policy, whose leaves become setters.
pub(crate) fn named(root: &Node, errors: &mut Errors) {
    tree(root, errors);
    let mut seen: Vec<&Ident> = Vec::new();
    for (_, name) in root.leaf_names() {
        let Some(name) = name else { continue };
        match seen.iter().find(|before| **before == name) {
            // Neighbours of one name have been told already.
            Some(before) if !siblings(root, before, name) => twice(name, "two leaves are", errors),
            _ => {}
        }
        seen.push(name);
    }
}

fn siblings(root: &Node, a: &Ident, b: &Ident) -> bool {
    let same = |x: &Ident, y: &Ident| std::ptr::eq(x, y);
    root.preorder().iter().any(|node| {
        let has = |ident| {
            node.kind
                .children()
                .iter()
                .filter_map(|child| child.name.as_ref())
                .any(|name| same(name, ident))
        };
        has(a) && has(b)
    })
}

fn names<'a>(names: impl Iterator<Item = &'a Ident>, errors: &mut Errors) {
    let mut seen: Vec<&Ident> = Vec::new();
    for name in names {
        if seen.contains(&name) {
            twice(name, "two are", errors);
        }
        seen.push(name);
    }
}

fn twice(name: &Ident, what: &str, errors: &mut Errors) {
    errors
        .push(Diagnostic::new(name.span(), format!("{what} called `{name}`")).help("give each its own name"));
}

fn not_zero(value: &Value<Duration>, word: &str, errors: &mut Errors) {
    if value.literal() == Some(&Duration::ZERO) {
        errors.push(
            Diagnostic::new(value.span(), format!("a {word} of zero lets nothing start"))
                .help("write a time above zero, such as `500ms`"),
        );
    }
}

fn check_attempt(attempt: &Attempt, errors: &mut Errors) {
    if let Some(bound) = &attempt.bound {
        not_zero(bound, "bound", errors);
    }
    let Some(takes) = &attempt.takes else { return };
    match (&takes.min, &takes.max) {
        (Some(min), Some(max)) => {
            if let (Some(lo), Some(hi)) = (min.literal(), max.literal())
                && lo > hi
            {
                errors.push(
                    Diagnostic::new(
                        min.span(),
                        format!("the least is above the most: {} and {}", spell(*lo), spell(*hi)),
                    )
                    .through(max.span())
                    .help(format!("write `takes = {}..={}`", spell(*hi), spell(*lo))),
                );
            }
        }
        (Some(min), None) if attempt.bound.is_none() => errors.push(
            Diagnostic::new(min.span(), "`takes` without an end needs a bound on the attempt")
                .help("write `takes = 50ms..=500ms`, or `attempt(500ms, takes = 50ms..)`"),
        ),
        _ => {}
    }
    if let Some(max) = &takes.max {
        not_zero(max, "most", errors);
    }
}

fn check_retry(retry: &Retry, errors: &mut Errors) {
    if let Attempts::Exactly(count) | Attempts::UpTo(count) = &retry.attempts
        && count.literal() == Some(&0)
    {
        errors.push(
            Diagnostic::new(
                count.span(),
                "zero attempts try nothing: `attempts` counts the first try too",
            )
            .help("write `attempts = 1` for one try and no retry"),
        );
    }
    let Some(backoff) = &retry.backoff else {
        if let Some(jitter) = &retry.jitter {
            check_spread(jitter, errors);
        }
        return;
    };
    check_backoff(backoff, errors);
    check_schedule(retry, backoff, errors);
    if let Some(jitter) = &retry.jitter {
        check_spread(jitter, errors);
        check_jitter(backoff, jitter, errors);
    }
}

fn check_backoff(backoff: &Backoff, errors: &mut Errors) {
    let (name, base, max) = match &backoff.kind {
        BackoffKind::Linear { base, max } => ("linear", base, max),
        BackoffKind::Decorrelated { base, max } => ("decorrelated", base, max),
        BackoffKind::Exponential { base, factor, max } => {
            if let Some(factor) = factor {
                check_factor(factor, errors);
            }
            ("exponential", base, max)
        }
        _ => return,
    };
    if let Some(max) = max
        && let (Some(first), Some(cap)) = (base.literal(), max.literal())
        && first > cap
    {
        errors.push(
            Diagnostic::new(
                base.span(),
                format!(
                    "the first wait, {}, is above `max`, {}",
                    spell(*first),
                    spell(*cap)
                ),
            )
            .through(max.span())
            .help(format!(
                "write `{name}({}, max = {})`, or `fixed({})`",
                spell(*cap),
                spell(*first),
                spell(*cap)
            )),
        );
    }
}

fn below_one(factor: Factor) -> bool {
    u128::from(factor.digits) < 10_u128.pow(factor.scale)
}

fn check_factor(factor: &Value<Factor>, errors: &mut Errors) {
    let Some(value) = factor.literal().copied().filter(|value| below_one(*value)) else {
        return;
    };
    let fault = Diagnostic::new(
        factor.span(),
        format!(
            "a factor of {} makes waits shorter each time; the least is 1",
            spell_factor(value)
        ),
    );
    errors
        .push(fault.help("write `factor = 2` to double each wait, or a `schedule(…)` for waits that shrink"));
}

fn check_spread(jitter: &Jitter, errors: &mut Errors) {
    let JitterKind::Spread(share) = &jitter.kind else {
        return;
    };
    let Some(value) = share.literal().copied() else {
        return;
    };
    let one = 10_u128.pow(value.scale);
    if u128::from(value.digits) > one {
        let text = spell_factor(value);
        let percent = u128::from(value.digits) <= one * 100;
        let fault = Diagnostic::new(
            share.span(),
            format!("a spread of {text} is above the whole wait; the most is 1"),
        );
        let hundredth = Factor {
            digits: value.digits,
            scale: value.scale + 2,
        };
        errors.push(
            if percent && value.scale <= 16 && value.digits >= 2 * u64::try_from(one).unwrap_or(1) {
                fault.help(format!(
                    "for {text} percent write `spread({})`",
                    spell_factor(hundredth)
                ))
            } else {
                fault.help("write a share of the wait, such as `spread(0.2)`")
            },
        );
    } else if value.digits == 0 {
        errors.push(
            Diagnostic::new(share.span(), "a spread of zero is no jitter").help("write `jitter = none`"),
        );
    }
}

fn check_jitter(backoff: &Backoff, jitter: &Jitter, errors: &mut Errors) {
    if matches!(jitter.kind, JitterKind::None) {
        return;
    }
    let fault = match &backoff.kind {
        BackoffKind::Decorrelated { .. } => Diagnostic::new(
            jitter.span,
            "`decorrelated` draws its waits itself, so there is nothing to spread",
        )
        .help("leave `jitter` out, or write `backoff = exponential(…)`"),
        BackoffKind::None => Diagnostic::new(jitter.span, "without a backoff there is no wait to spread")
            .help("leave `jitter` out, or write `backoff = fixed(…)`"),
        _ => return,
    };
    errors.push(fault);
}

/// Rule 12: one wait per retry, unless the last repeats.
fn check_schedule(retry: &Retry, backoff: &Backoff, errors: &mut Errors) {
    let BackoffKind::Schedule {
        waits,
        repeat_last: false,
    } = &backoff.kind
    else {
        return;
    };
    let list = waits.len();
    let plural = |n: usize, one: &str, many: &str| {
        if n == 1 {
            format!("1 {one}")
        } else {
            format!("{n} {many}")
        }
    };
    let attempts = match &retry.attempts {
        Attempts::Exactly(Value::Literal(n, _)) | Attempts::UpTo(Value::Literal(n, _)) => *n,
        Attempts::Unlimited(_) => {
            let waits = plural(list, "wait", "waits");
            errors.push(
                Diagnostic::new(
                    backoff.span,
                    format!("a schedule of {waits} ends, and `attempts` is unlimited"),
                )
                .help("close it with `..` to repeat the last wait"),
            );
            return;
        }
        _ => return,
    };
    let retries = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX);
    if attempts == 0 || retries == list {
        return;
    }
    let fault = Diagnostic::new(
        backoff.span,
        format!(
            "`attempts = {attempts}` has {}, and the schedule has {}",
            plural(retries, "retry", "retries"),
            plural(list, "wait", "waits"),
        ),
    );
    let fault = fault.help(format!("write `attempts = {}`", list + 1));
    errors.push(if retries > list {
        fault.help("or close the schedule with `..` to repeat its last wait")
    } else {
        fault
    });
}
