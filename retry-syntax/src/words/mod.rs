//! The words of the language, and what is answered to words of other languages.

mod aliases;

use retry_planner::Lint;

pub(crate) use aliases::argument_alias;

/// The nodes.
pub const NODES: [&str; 11] = [
    "attempt",
    "call",
    "timeout",
    "deadline",
    "retry",
    "hedge",
    "series",
    "parallel",
    "fallback",
    "race",
    "allowance",
];

/// The arguments of `attempt` and `hedge`, and those of `retry`.
pub(crate) const ATTEMPT: [&str; 3] = ["takes", "idempotent", "idempotency_key"];
pub(crate) const HEDGE: [&str; 3] = ["after", "copies", "budget"];
pub(crate) const RETRY: [&str; 10] = [
    "attempts",
    "backoff",
    "jitter",
    "budget",
    "when",
    "until",
    "timeouts",
    "retry_after",
    "retry_after_max",
    "on_retry",
];
/// What the shorthand adds to them.
pub(crate) const SHORTHAND: [&str; 2] = ["attempt", "deadline"];
/// What may stand before a tree, and as a key of the short form and of `#[retry]`.
pub(crate) const HEAD: [&str; 2] = ["crate", "interrupted"];
/// What only `#[retry]` has.
pub(crate) const FUNCTION: [&str; 4] = ["context", "clone", "export", "calls"];

pub(crate) const BACKOFFS: [&str; 6] = [
    "none",
    "fixed",
    "linear",
    "exponential",
    "decorrelated",
    "schedule",
];
pub(crate) const JITTERS: [&str; 4] = ["none", "full", "equal", "spread"];

/// Where an argument stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Attempt,
    Hedge,
    Retry,
    /// The short form in place.
    Shorthand,
    /// `#[retry(…)]` in the shorthand.
    Function,
    /// `#[retry(…)]` beside a tree or a named policy.
    FunctionTree,
}

impl Place {
    pub(crate) fn words(self) -> Vec<&'static str> {
        let shorthand = || [&RETRY[..], &HEDGE[..2], &ATTEMPT, &SHORTHAND, &HEAD].concat();
        match self {
            Self::Attempt => ATTEMPT.to_vec(),
            Self::Hedge => HEDGE.to_vec(),
            Self::Retry => RETRY.to_vec(),
            Self::Shorthand => shorthand(),
            Self::Function => [&shorthand()[..], &FUNCTION].concat(),
            Self::FunctionTree => [&HEAD[..], &FUNCTION].concat(),
        }
    }

    pub(crate) fn owner(self) -> &'static str {
        match self {
            Self::Attempt => "`attempt`",
            Self::Hedge => "`hedge`",
            Self::Retry => "`retry`",
            Self::Shorthand => "the short form",
            Self::Function | Self::FunctionTree => "`#[retry]`",
        }
    }
}

/// The word that is closest to `found`, if it is close enough to have been meant.
#[must_use]
pub fn nearest<'a>(found: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = found.to_lowercase();
    let reach = (found.chars().count() / 3).max(1);
    words
        .into_iter()
        .map(|word| (distance(&lower, word), word))
        .filter(|&(away, word)| away <= reach && away < word.chars().count())
        .min_by_key(|&(away, _)| away)
        .map(|(_, word)| word)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The finding of that name.
#[must_use]
pub fn lint(name: &str) -> Option<Lint> {
    Lint::ALL.into_iter().find(|lint| lint.name() == name)
}

/// The finding whose name was nearly written.
pub(crate) fn near_lint(name: &str) -> Option<Lint> {
    let compact = name.replace('-', "_");
    let alias = match compact.as_str() {
        "unfulfilled_lint_expectation" => Some("unfulfilled_expect"),
        "cant_fit" | "does_not_fit" | "wont_fit" => Some("cannot_fit"),
        "budget_exceeded" => Some("retry_budget_exceeded"),
        "never_fire" => Some("never_fires"),
        "unsafe_retry" => Some("retry_unsafe"),
        "unsafe_hedge" => Some("hedge_unsafe"),
        "missing_jitter" => Some("no_jitter"),
        "missing_cap" => Some("no_cap"),
        _ => None,
    };
    lint(alias.or_else(|| nearest(&compact, Lint::ALL.iter().map(|lint| lint.name())))?)
}

/// The node that was meant by a word of another library.
pub(crate) fn node_alias(word: &str) -> Option<&'static str> {
    Some(match word {
        "sequence" | "seq" | "sequential" | "steps" | "then" | "chain" => "series",
        "concurrent" | "join" | "all" | "par" | "try_join" => "parallel",
        "any" | "select" | "first" | "first_ok" | "select_ok" => "race",
        "or" | "or_else" | "otherwise" | "alternatives" | "first_of" => "fallback",
        "within" | "limit" | "time_limit" => "timeout",
        "total_timeout" | "expires" | "until" => "deadline",
        "op" | "operation" | "run" | "exec" | "task" | "try" | "leaf" => "attempt",
        "budget" | "retry_budget" => "allowance",
        "policy" | "include" => "call",
        "retries" | "repeat" | "again" => "retry",
        "hedged" | "hedging" | "speculative" => "hedge",
        _ => return None,
    })
}

/// The backoff that was meant by a word of another library.
pub(crate) fn backoff_alias(word: &str) -> Option<&'static str> {
    Some(match word {
        "exp" | "expo" | "exponential_backoff" | "geometric" => "exponential(100ms)",
        "constant" | "const" | "fix" | "flat" | "interval" => "fixed(100ms)",
        "incremental" | "arithmetic" => "linear(100ms)",
        "decorrelated_jitter" | "aws" => "decorrelated(100ms)",
        "fibonacci" => "schedule(100ms, 200ms, 300ms, 500ms, 800ms, ..)",
        "list" | "table" | "delays" => "schedule(100ms, 300ms, ..)",
        "zero" | "no" | "immediate" | "off" => "none",
        _ => return None,
    })
}

/// The jitter that was meant by a word of another library.
pub(crate) fn jitter_alias(word: &str) -> Option<&'static str> {
    Some(match word {
        "true" | "on" | "yes" | "default" => "full",
        "false" | "off" | "no" => "none",
        "half" | "bounded" => "equal",
        "proportional" | "randomization_factor" | "range" => "spread(0.2)",
        _ => return None,
    })
}
