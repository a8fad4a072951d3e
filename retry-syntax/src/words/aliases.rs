//! Arguments of other libraries, and what is written here instead.

use super::Place;

/// What is answered to an argument that isn't one.
pub(crate) struct Answer {
    /// The argument that it stands for, so that nothing is said to be missing.
    pub(crate) means: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// One row of answers: `{w}` is the word that was written, `{v}` its value, or `default` where it has none.
struct Alias {
    places: &'static [Place],
    words: &'static [&'static str],
    means: &'static str,
    message: &'static str,
    help: &'static str,
    default: &'static str,
}

const REPEATS: &[Place] = &[Place::Retry, Place::Shorthand, Place::Function];
const SHORT: &[Place] = &[Place::Shorthand, Place::Function];
const HEDGES: &[Place] = &[Place::Hedge, Place::Shorthand, Place::Function];
const FUNCTIONS: &[Place] = &[Place::Function, Place::FunctionTree];

/// The first row that fits holds.
const ALIASES: &[Alias] = &[
    Alias {
        places: REPEATS,
        words: &["max_attempts", "num_attempts", "attempts_max"],
        means: "attempts",
        message: "`{w}` is called `attempts` here",
        help: "write `attempts = {v}`, or `attempts = ..={v}` for as many of them as fit",
        default: "3",
    },
    Alias {
        places: REPEATS,
        words: &[
            "initial_delay",
            "min_delay",
            "initial_interval",
            "initial_backoff",
            "base_delay",
            "base",
            "min_backoff",
            "min_interval",
            "initial",
        ],
        means: "backoff",
        message: "`{w}` is the first wait of a backoff",
        help: "write `backoff = exponential({v})`",
        default: "100ms",
    },
    Alias {
        places: REPEATS,
        words: &["delay", "wait", "interval", "sleep", "period"],
        means: "backoff",
        message: "`{w}` is a backoff",
        help: "write `backoff = fixed({v})`",
        default: "100ms",
    },
    Alias {
        places: REPEATS,
        words: &["multiplier", "factor", "exponent_base", "exponent", "base_factor"],
        means: "backoff",
        message: "`{w}` belongs to the backoff",
        help: "write `backoff = exponential(100ms, factor = {v})`",
        default: "2",
    },
    Alias {
        places: REPEATS,
        words: &[
            "max_interval",
            "max_delay",
            "max_backoff",
            "max_wait",
            "cap",
            "max",
        ],
        means: "backoff",
        message: "`{w}` belongs to the backoff",
        help: "write `backoff = exponential(100ms, max = {v})`",
        default: "1s",
    },
    Alias {
        places: REPEATS,
        words: &["strategy", "delays", "waits"],
        means: "backoff",
        message: "`{w}` is called `backoff` here",
        help: "write `backoff = {v}`",
        default: "exponential(100ms)",
    },
    Alias {
        places: REPEATS,
        words: &[
            "retry_if",
            "retry_when",
            "retry_on",
            "condition",
            "predicate",
            "should_retry",
            "is_retryable",
            "filter",
            "retryable",
        ],
        means: "when",
        message: "`{w}` is called `when` here",
        help: "write `when = {v}`",
        default: "|error| error.is_transient()",
    },
    Alias {
        places: REPEATS,
        words: &[
            "notify",
            "on_error",
            "before_sleep",
            "before_retry",
            "on_failure",
            "observer",
            "log",
        ],
        means: "on_retry",
        message: "`{w}` is called `on_retry` here",
        help: "write `on_retry = {v}`",
        default: "|retry| log(retry)",
    },
    Alias {
        places: REPEATS,
        words: &["retry_until", "until_value", "retry_if_result", "stop_when"],
        means: "until",
        message: "`{w}` is called `until` here",
        help: "write `until = {v}`",
        default: "|value| value.is_ready()",
    },
    Alias {
        places: REPEATS,
        words: &["on_timeout", "retry_timeouts", "retry_on_timeout"],
        means: "timeouts",
        message: "`{w}` is called `timeouts` here",
        help: "write `timeouts = retry` or `timeouts = stop`",
        default: "",
    },
    Alias {
        places: REPEATS,
        words: &["max_retry_after", "hint", "max_hint"],
        means: "retry_after",
        message: "`{w}` isn't a word here",
        help: "write `retry_after = |error| error.retry_after()`, and `retry_after_max = 30s` for the longest that is waited",
        default: "",
    },
    Alias {
        places: SHORT,
        words: &["timeout"],
        means: "attempt",
        message: "`timeout` is ambiguous: each attempt, or the whole run?",
        help: "write `attempt = {v}` to bound each attempt, or `deadline = {v}` to bound the whole run",
        default: "500ms",
    },
    Alias {
        places: SHORT,
        words: &[
            "attempt_timeout",
            "per_attempt",
            "per_attempt_timeout",
            "timeout_per_attempt",
            "try_timeout",
            "request_timeout",
            "bound",
        ],
        means: "attempt",
        message: "`{w}` is called `attempt` here",
        help: "write `attempt = {v}`",
        default: "500ms",
    },
    Alias {
        places: SHORT,
        words: &[
            "total_timeout",
            "max_elapsed_time",
            "max_duration",
            "total_delay",
            "max_total_time",
            "max_elapsed",
            "total",
            "time_limit",
            "budget_time",
        ],
        means: "deadline",
        message: "`{w}` is called `deadline` here: it bounds the whole run",
        help: "write `deadline = {v}`",
        default: "2s",
    },
    Alias {
        places: &[Place::Retry],
        words: &["timeout"],
        means: "",
        message: "`timeout` isn't an argument of `retry`",
        help: "write `attempt({v})` inside to bound each attempt, or `timeout({v}) { … }` around to bound all of them",
        default: "2s",
    },
    Alias {
        places: &[Place::Retry],
        words: &[
            "deadline",
            "total_timeout",
            "max_elapsed_time",
            "max_duration",
            "total_delay",
            "time_limit",
        ],
        means: "",
        message: "`{w}` isn't an argument of `retry`",
        help: "write `deadline({v}) { … }` around it",
        default: "2s",
    },
    Alias {
        places: &[Place::Retry],
        words: &["attempt", "attempt_timeout", "per_attempt"],
        means: "",
        message: "`{w}` isn't an argument of `retry`",
        help: "write it inside: `retry(…) { attempt({v}) }`",
        default: "500ms",
    },
    Alias {
        places: &[Place::Retry],
        words: &["takes"],
        means: "",
        message: "`takes` is an argument of `attempt`",
        help: "write it inside: `retry(…) { attempt(takes = {v}) }`",
        default: "500ms",
    },
    Alias {
        places: &[Place::Retry],
        words: &["idempotent"],
        means: "",
        message: "`idempotent` is an argument of `attempt`",
        help: "write it inside: `attempt(idempotent = {v})`",
        default: "false",
    },
    Alias {
        places: &[Place::Retry],
        words: &["idempotency_key"],
        means: "",
        message: "`idempotency_key` is an argument of `attempt`",
        help: "write it inside: `attempt(idempotency_key)`",
        default: "",
    },
    Alias {
        places: HEDGES,
        words: &["hedge_delay", "hedge_after", "delay", "wait", "interval"],
        means: "after",
        message: "`{w}` is called `after` here",
        help: "write `after = {v}`",
        default: "80ms",
    },
    Alias {
        places: HEDGES,
        words: &[
            "max_copies",
            "max_hedged_attempts",
            "hedges",
            "max_hedges",
            "parallelism",
            "n",
            "replicas",
        ],
        means: "copies",
        message: "`{w}` is called `copies` here: it counts the first one too",
        help: "write `copies = {v}`",
        default: "2",
    },
    Alias {
        places: &[Place::Hedge],
        words: &["attempts"],
        means: "copies",
        message: "a hedge has copies, not attempts",
        help: "write `copies = {v}`",
        default: "2",
    },
    Alias {
        places: &[Place::Attempt],
        words: &["timeout", "bound", "limit", "within", "max", "deadline"],
        means: "bound",
        message: "`{w}` isn't an argument of `attempt`",
        help: "write the bound without a name: `attempt({v})`",
        default: "500ms",
    },
    Alias {
        places: &[Place::Attempt],
        words: &["duration", "latency", "expected", "estimate"],
        means: "takes",
        message: "`{w}` is called `takes` here",
        help: "write `takes = {v}`",
        default: "50ms..=500ms",
    },
    Alias {
        places: &[Place::Attempt],
        words: &["key", "idempotence_key"],
        means: "idempotency_key",
        message: "`{w}` is called `idempotency_key` here",
        help: "write `idempotency_key`, or `idempotency_key = expression`",
        default: "",
    },
    Alias {
        places: &[Place::Attempt],
        words: &["attempts"],
        means: "",
        message: "`attempts` is an argument of `retry`",
        help: "write `retry(attempts = {v}) { attempt(…) }`",
        default: "3",
    },
    Alias {
        places: FUNCTIONS,
        words: &["cx", "ctx", "attempt_context"],
        means: "context",
        message: "`{w}` isn't a word here",
        help: "write `context = cx`",
        default: "",
    },
    Alias {
        places: FUNCTIONS,
        words: &["clones", "cloned"],
        means: "clone",
        message: "`{w}` isn't a word here",
        help: "write `clone(name, …)`",
        default: "",
    },
];

/// `value` is the text after the `=`.
pub(crate) fn argument_alias(place: Place, word: &str, value: &str) -> Option<Answer> {
    if REPEATS.contains(&place)
        && let Some(answer) = counted(word, value)
    {
        return Some(answer);
    }
    let alias = ALIASES
        .iter()
        .find(|alias| alias.places.contains(&place) && alias.words.contains(&word))?;
    let value = if value.is_empty() { alias.default } else { value };
    let fill = |text: &str| text.replace("{w}", word).replace("{v}", value);
    Some(Answer {
        means: Some(alias.means),
        message: fill(alias.message),
        help: fill(alias.help),
    })
}

/// Words that count retries, or leave open what they count: the answer has the right number.
fn counted(word: &str, value: &str) -> Option<Answer> {
    let number = value.parse::<u32>().ok().filter(|&n| n > 0);
    let more = |n: u32| n.saturating_add(1);
    let help = match word {
        "retries" | "max_retries" | "retry_count" | "num_retries" | "n_retries" => {
            format!("write `attempts = {}`", value.parse().map_or(3, more))
        }
        "times" | "max_times" | "tries" | "max_tries" | "count" => {
            let n = number.unwrap_or(3);
            format!(
                "write `attempts = {n}` for {n} in all, or `attempts = {}` for {n} after the first",
                more(n)
            )
        }
        _ => return None,
    };
    let message = format!("`{word}` isn't a word here: `attempts` counts every try, the first included");
    Some(Answer {
        means: Some("attempts"),
        message,
        help,
    })
}
