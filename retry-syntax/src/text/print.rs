//! A planner's tree as policy text.

use std::fmt::Write;
use std::time::Duration;

use retry_planner::{
    Attempt, Attempts, Backoff, Charge, Count, Hedge, Jitter, Kind, Level, Levels, Lint, Node, Policy, Range,
    Retry,
};

use crate::literal::{spell, spell_factor};

/// Writes a policy as text that [`parse_str`](super::parse_str) reads back as the same tree.
///
/// Hooks that a planner's tree only knows to exist are written as `_`. A range is written by its upper end, since a text has
/// exact values.
#[must_use]
pub fn print(policy: &Policy<'_>) -> String {
    let mut text = String::new();
    let mut levels = vec![(usize::MAX, Levels::DEFAULT)];
    let name = if policy.name.is_empty() {
        "policy"
    } else {
        policy.name
    };
    let _ = writeln!(text, "struct {name} {{");
    let mut ends: Vec<usize> = Vec::new();
    let mut named: Vec<bool> = Vec::new();
    for (index, node) in policy.nodes.iter().enumerate() {
        close(&mut text, &mut ends, &mut named, &mut levels, index);
        let indent = "    ".repeat(ends.len() + 1);
        let around = levels.last().map_or(Levels::DEFAULT, |(_, levels)| *levels);
        for (level, lints) in changes(around, node.levels) {
            let _ = writeln!(text, "{indent}#[{level}({lints})]");
        }
        text.push_str(&indent);
        if !node.name.is_empty() {
            let _ = write!(text, "{}: ", node.name);
        }
        head(&mut text, node);
        if node.size > 1 {
            text.push_str(" {\n");
            ends.push(index + node.size);
            named.push(!node.name.is_empty());
            levels.push((index + node.size, node.levels));
        } else {
            text.push_str(if node.name.is_empty() { "\n" } else { ",\n" });
        }
    }
    close(&mut text, &mut ends, &mut named, &mut levels, policy.nodes.len());
    text.push_str("}\n");
    text
}

fn close(
    text: &mut String,
    ends: &mut Vec<usize>,
    named: &mut Vec<bool>,
    levels: &mut Vec<(usize, Levels)>,
    index: usize,
) {
    while ends.last().is_some_and(|&end| end <= index) {
        ends.pop();
        levels.pop();
        let comma = if named.pop().unwrap_or(false) { "," } else { "" };
        let _ = writeln!(text, "{}}}{comma}", "    ".repeat(ends.len() + 1));
    }
}

fn changes(around: Levels, own: Levels) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    for lint in Lint::ALL {
        if around.get(lint) == own.get(lint) {
            continue;
        }
        let level = match own.get(lint) {
            Level::Allow => "allow",
            Level::Expect => "expect",
            Level::Warn => "warn",
            Level::Deny => "deny",
        };
        match found.iter_mut().find(|(name, _)| *name == level) {
            Some((_, lints)) => {
                let _ = write!(lints, ", {}", lint.name());
            }
            None => found.push((level, lint.name().to_owned())),
        }
    }
    found
}

fn head(text: &mut String, node: &Node<'_>) {
    let _ = match &node.kind {
        Kind::Attempt(attempt) => write!(text, "attempt{}", attempt_args(attempt)),
        Kind::Timeout(limit) => write!(text, "timeout({})", range(limit)),
        Kind::Deadline(limit) => write!(text, "deadline({})", range(limit)),
        Kind::Retry(retry) => write!(text, "retry({})", retry_args(retry)),
        Kind::Hedge(hedge) => write!(text, "hedge({})", hedge_args(hedge)),
        Kind::Series => write!(text, "series"),
        Kind::Parallel => write!(text, "parallel"),
        Kind::Fallback => write!(text, "fallback"),
        Kind::Race => write!(text, "race"),
        Kind::Call(callee) => write!(text, "call({})", callee.name),
        Kind::Allowance(allowance) => {
            write!(text, "allowance({} = {})", allowance.key, count(allowance.limit))
        }
    };
}

fn range(range: &Range) -> String {
    spell(range.hi)
}

fn count(count: Count) -> u32 {
    count.hi
}

fn attempt_args(attempt: &Attempt) -> String {
    let mut args: Vec<String> = attempt.bound.iter().map(range).collect();
    if let Some(takes) = &attempt.takes {
        let min = if takes.min.hi == Duration::ZERO {
            String::new()
        } else {
            spell(takes.min.lo)
        };
        args.push(match takes.max {
            Some(max) if min.is_empty() => format!("takes = {}", range(&max)),
            Some(max) => format!("takes = {min}..={}", range(&max)),
            None => format!("takes = {}..", spell(takes.min.lo)),
        });
    }
    if !attempt.idempotent {
        args.push("idempotent = false".to_owned());
    }
    if attempt.key {
        args.push("idempotency_key".to_owned());
    }
    if args.is_empty() {
        String::new()
    } else {
        format!("({})", args.join(", "))
    }
}

fn retry_args(retry: &Retry<'_>) -> String {
    let mut args = vec![match retry.attempts {
        Attempts::Exactly(n) => format!("attempts = {}", count(n)),
        Attempts::UpTo(n) => format!("attempts = ..={}", count(n)),
        Attempts::Unlimited => "attempts = unlimited".to_owned(),
    }];
    args.push(format!("backoff = {}", backoff(&retry.backoff)));
    args.extend(retry.jitter.map(|jitter| match jitter {
        Jitter::None => "jitter = none".to_owned(),
        Jitter::Full => "jitter = full".to_owned(),
        Jitter::Equal => "jitter = equal".to_owned(),
        Jitter::Spread(share) => format!("jitter = spread({})", spell_factor(share)),
    }));
    args.extend(retry.budget.map(budget));
    if retry.when {
        args.push("when = _".to_owned());
    }
    if retry.until {
        args.push("until = _".to_owned());
    }
    if retry.stop_on_timeout {
        args.push("timeouts = stop".to_owned());
    }
    if let Some(hint) = retry.hint {
        args.push("retry_after = _".to_owned());
        args.extend(hint.max.map(|max| format!("retry_after_max = {}", range(&max))));
    }
    args.join(", ")
}

fn budget(charge: Charge<'_>) -> String {
    format!("budget = {}", charge.key)
}

fn hedge_args(hedge: &Hedge<'_>) -> String {
    let mut args = vec![
        format!("after = {}", range(&hedge.after)),
        format!("copies = {}", count(hedge.copies)),
    ];
    args.extend(hedge.budget.map(budget));
    args.join(", ")
}

fn backoff(backoff: &Backoff<'_>) -> String {
    let capped = |name: &str, base: &Range, factor: String, max: &Option<Range>| {
        let max = max
            .as_ref()
            .map(|max| format!(", max = {}", range(max)))
            .unwrap_or_default();
        format!("{name}({}{factor}{max})", range(base))
    };
    match backoff {
        Backoff::None => "none".to_owned(),
        Backoff::Fixed(wait) => format!("fixed({})", range(wait)),
        Backoff::Linear { base, max } => capped("linear", base, String::new(), max),
        Backoff::Decorrelated { base, max } => capped("decorrelated", base, String::new(), max),
        Backoff::Exponential { base, factor, max } => capped(
            "exponential",
            base,
            format!(", factor = {}", spell_factor(*factor)),
            max,
        ),
        Backoff::Schedule { waits, repeat_last } => {
            let mut all: Vec<String> = waits.iter().map(range).collect();
            if *repeat_last {
                all.push("..".to_owned());
            }
            format!("schedule({})", all.join(", "))
        }
    }
}
