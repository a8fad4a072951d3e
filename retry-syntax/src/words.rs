//! The words of the language, and what is answered to words of other languages.

use retry_planner::Lint;

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
pub(crate) fn nearest<'a>(found: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// What is answered to an argument that isn't one.
pub(crate) struct Answer {
    /// The argument that it stands for, so that nothing is said to be missing.
    pub(crate) means: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// `value` is the text after the `=`.
pub(crate) fn argument_alias(place: Place, word: &str, value: &str) -> Option<Answer> {
    let answer = |means: &'static str, message: String, help: String| {
        Some(Answer {
            means: Some(means),
            message,
            help,
        })
    };
    let or = |default: &'static str| {
        if value.is_empty() {
            default.to_owned()
        } else {
            value.to_owned()
        }
    };
    let repeats = matches!(place, Place::Retry | Place::Shorthand | Place::Function);
    let short = matches!(place, Place::Shorthand | Place::Function);
    if repeats {
        match word {
            "retries" | "max_retries" | "retry_count" | "num_retries" | "n_retries" => {
                let more = value.parse::<u32>().ok().and_then(|n| n.checked_add(1));
                let more = more.map_or_else(|| "3".to_owned(), |n| n.to_string());
                return answer(
                    "attempts",
                    format!("`{word}` isn't a word here: `attempts` counts every try, the first included"),
                    format!("write `attempts = {more}`"),
                );
            }
            "times" | "max_times" | "tries" | "max_tries" | "count" => {
                let (tries, more) = match value.parse::<u32>() {
                    Ok(n) if n > 0 => (n.to_string(), n.saturating_add(1).to_string()),
                    _ => ("3".to_owned(), "4".to_owned()),
                };
                return answer(
                    "attempts",
                    format!("`{word}` isn't a word here: `attempts` counts every try, the first included"),
                    format!(
                        "write `attempts = {tries}` for {tries} in all, or `attempts = {more}` for {tries} after the first"
                    ),
                );
            }
            "max_attempts" | "num_attempts" | "attempts_max" | "max" if word != "max" => {
                let n = or("3");
                return answer(
                    "attempts",
                    format!("`{word}` is called `attempts` here"),
                    format!("write `attempts = {n}`, or `attempts = ..={n}` for as many of them as fit"),
                );
            }
            "initial_delay" | "min_delay" | "initial_interval" | "initial_backoff" | "base_delay"
            | "base" | "min_backoff" | "min_interval" | "initial" => {
                return answer(
                    "backoff",
                    format!("`{word}` is the first wait of a backoff"),
                    format!("write `backoff = exponential({})`", or("100ms")),
                );
            }
            "delay" | "wait" | "interval" | "sleep" | "period" => {
                return answer(
                    "backoff",
                    format!("`{word}` is a backoff"),
                    format!("write `backoff = fixed({})`", or("100ms")),
                );
            }
            "multiplier" | "factor" | "exponent_base" | "exponent" | "base_factor" => {
                return answer(
                    "backoff",
                    format!("`{word}` belongs to the backoff"),
                    format!("write `backoff = exponential(100ms, factor = {})`", or("2")),
                );
            }
            "max_interval" | "max_delay" | "max_backoff" | "max_wait" | "cap" | "max" => {
                return answer(
                    "backoff",
                    format!("`{word}` belongs to the backoff"),
                    format!("write `backoff = exponential(100ms, max = {})`", or("1s")),
                );
            }
            "strategy" | "delays" | "waits" => {
                return answer(
                    "backoff",
                    format!("`{word}` is called `backoff` here"),
                    format!("write `backoff = {}`", or("exponential(100ms)")),
                );
            }
            "retry_if" | "retry_when" | "retry_on" | "condition" | "predicate" | "should_retry"
            | "is_retryable" | "filter" | "retryable" => {
                return answer(
                    "when",
                    format!("`{word}` is called `when` here"),
                    format!("write `when = {}`", or("|error| error.is_transient()")),
                );
            }
            "notify" | "on_error" | "before_sleep" | "before_retry" | "on_failure" | "observer" | "log" => {
                return answer(
                    "on_retry",
                    format!("`{word}` is called `on_retry` here"),
                    format!("write `on_retry = {}`", or("|retry| log(retry)")),
                );
            }
            "retry_until" | "until_value" | "retry_if_result" | "stop_when" => {
                return answer(
                    "until",
                    format!("`{word}` is called `until` here"),
                    format!("write `until = {}`", or("|value| value.is_ready()")),
                );
            }
            "on_timeout" | "retry_timeouts" | "retry_on_timeout" => {
                return answer(
                    "timeouts",
                    format!("`{word}` is called `timeouts` here"),
                    "write `timeouts = retry` or `timeouts = stop`".to_owned(),
                );
            }
            "max_retry_after" | "hint" | "max_hint" => {
                return answer("retry_after", format!("`{word}` isn't a word here"), "write `retry_after = |error| error.retry_after()`, and `retry_after_max = 30s` for the longest that is waited".to_owned());
            }
            _ => {}
        }
    }
    if short {
        match word {
            "timeout" => {
                let d = or("500ms");
                return answer(
                    "attempt",
                    "`timeout` is ambiguous: each attempt, or the whole run?".to_owned(),
                    format!(
                        "write `attempt = {d}` to bound each attempt, or `deadline = {d}` to bound the whole run"
                    ),
                );
            }
            "attempt_timeout"
            | "per_attempt"
            | "per_attempt_timeout"
            | "timeout_per_attempt"
            | "try_timeout"
            | "request_timeout"
            | "bound" => {
                return answer(
                    "attempt",
                    format!("`{word}` is called `attempt` here"),
                    format!("write `attempt = {}`", or("500ms")),
                );
            }
            "total_timeout" | "max_elapsed_time" | "max_duration" | "total_delay" | "max_total_time"
            | "max_elapsed" | "total" | "time_limit" | "budget_time" => {
                return answer(
                    "deadline",
                    format!("`{word}` is called `deadline` here: it bounds the whole run"),
                    format!("write `deadline = {}`", or("2s")),
                );
            }
            _ => {}
        }
    }
    if place == Place::Retry {
        match word {
            "timeout" => {
                let d = or("2s");
                return answer(
                    "",
                    "`timeout` isn't an argument of `retry`".to_owned(),
                    format!(
                        "write `attempt({d})` inside to bound each attempt, or `timeout({d}) {{ … }}` around to bound all of them"
                    ),
                );
            }
            "deadline" | "total_timeout" | "max_elapsed_time" | "max_duration" | "total_delay"
            | "time_limit" => {
                return answer(
                    "",
                    format!("`{word}` isn't an argument of `retry`"),
                    format!("write `deadline({}) {{ … }}` around it", or("2s")),
                );
            }
            "attempt" | "attempt_timeout" | "per_attempt" | "takes" => {
                let inner = if word == "takes" {
                    format!("takes = {}", or("500ms"))
                } else {
                    or("500ms")
                };
                return answer(
                    "",
                    format!("`{word}` isn't an argument of `retry`"),
                    format!("write it inside: `retry(…) {{ attempt({inner}) }}`"),
                );
            }
            "idempotent" | "idempotency_key" => {
                return answer(
                    "",
                    format!("`{word}` is an argument of `attempt`"),
                    format!(
                        "write it inside: `attempt({word}{})`",
                        if value.is_empty() {
                            String::new()
                        } else {
                            format!(" = {value}")
                        }
                    ),
                );
            }
            _ => {}
        }
    }
    if place == Place::Hedge || short {
        match word {
            "hedge_delay" | "hedge_after" | "delay" | "wait" | "interval" => {
                return answer(
                    "after",
                    format!("`{word}` is called `after` here"),
                    format!("write `after = {}`", or("80ms")),
                );
            }
            "max_copies"
            | "max_hedged_attempts"
            | "hedges"
            | "max_hedges"
            | "parallelism"
            | "n"
            | "replicas" => {
                return answer(
                    "copies",
                    format!("`{word}` is called `copies` here: it counts the first one too"),
                    format!("write `copies = {}`", or("2")),
                );
            }
            "attempts" if place == Place::Hedge => {
                return answer(
                    "copies",
                    "a hedge has copies, not attempts".to_owned(),
                    format!("write `copies = {}`", or("2")),
                );
            }
            _ => {}
        }
    }
    if place == Place::Attempt {
        match word {
            "timeout" | "bound" | "limit" | "within" | "max" | "deadline" => {
                return answer(
                    "bound",
                    format!("`{word}` isn't an argument of `attempt`"),
                    format!("write the bound without a name: `attempt({})`", or("500ms")),
                );
            }
            "duration" | "latency" | "expected" | "estimate" => {
                return answer(
                    "takes",
                    format!("`{word}` is called `takes` here"),
                    format!("write `takes = {}`", or("50ms..=500ms")),
                );
            }
            "key" | "idempotence_key" => {
                return answer(
                    "idempotency_key",
                    format!("`{word}` is called `idempotency_key` here"),
                    "write `idempotency_key`, or `idempotency_key = expression`".to_owned(),
                );
            }
            "attempts" => {
                return answer(
                    "",
                    "`attempts` is an argument of `retry`".to_owned(),
                    format!("write `retry(attempts = {}) {{ attempt(…) }}`", or("3")),
                );
            }
            _ => {}
        }
    }
    if matches!(place, Place::Function | Place::FunctionTree) {
        match word {
            "cx" | "ctx" | "attempt_context" => {
                return answer(
                    "context",
                    format!("`{word}` isn't a word here"),
                    "write `context = cx`".to_owned(),
                );
            }
            "clones" | "cloned" => {
                return answer(
                    "clone",
                    format!("`{word}` isn't a word here"),
                    "write `clone(name, …)`".to_owned(),
                );
            }
            _ => {}
        }
    }
    None
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
