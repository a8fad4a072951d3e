//! A call chain as data: what each service does when the next one fails, outermost first.

use std::time::Duration;

use retry_planner::Factor;

/// A chain of calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// What it is called.
    pub name: String,
    /// How likely one try fails, `0..=1`.
    pub failure_rate: f64,
    /// How many calls of the innermost service one outer request may cause.
    pub max_amplification: f64,
    /// The layers, the caller before the called.
    pub layers: Vec<Layer>,
}

/// How one service calls the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// What it is called.
    pub name: String,
    /// Every try, the first included.
    pub attempts: Attempts,
    /// The first wait.
    pub base_delay: Duration,
    /// What each further wait is multiplied by.
    pub multiplier: Factor,
    /// The longest wait.
    pub max_delay: Option<Duration>,
    /// How waits are spread.
    pub jitter: Jitter,
    /// The bound of one try.
    pub per_try_timeout: Option<Duration>,
    /// The bound of all tries and waits together.
    pub deadline: Option<Duration>,
    /// What is retried.
    pub retry_on: Vec<Condition>,
    /// Whether the operation may be repeated as it is.
    pub idempotent: bool,
    /// Whether an idempotency key makes repeating it safe.
    pub idempotency_key: bool,
    /// Whether a server's `Retry-After` is honoured.
    pub respect_retry_after: bool,
    /// The longest `Retry-After` that is honoured.
    pub max_retry_after: Option<Duration>,
    /// What the way to this layer and back costs beyond its own work.
    pub margin: Duration,
    /// Further copies of a slow try.
    pub hedge: Option<Hedge>,
    /// What throttles retries when everything fails.
    pub budget: Option<Budget>,
    /// The keys whose values aren't written in the source, but are defaults of the target it was imported from.
    pub assumed: Vec<String>,
}

/// How many tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// At most so many.
    Count(u32),
    /// Until the deadline.
    Unlimited,
}

/// How a wait is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// `d`
    None,
    /// `0..=d`
    Full,
    /// `d/2..=d`
    Equal,
    /// `min(cap, U(base, 3·previous))`
    Decorrelated,
    /// `d·(1-x)..=d·(1+x)`, drawn after the cap, as gRPC does: the longest wait passes the cap by `x`.
    PlusMinus(Factor),
}

/// What is retried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An HTTP status.
    Status(u16),
    /// Anything else, in the words of the target: `timeout`, `UNAVAILABLE`, `gateway-error`.
    Word(String),
}

/// Another copy of a try each time `after` passes without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hedge {
    /// The time without an answer.
    pub after: Duration,
    /// How many copies, the first included.
    pub copies: u32,
}

/// A bound on retries over many requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Retries that each request pays for while everything fails.
    pub ratio: f64,
    /// Retries that are granted at once, before the ratio counts.
    pub burst: u32,
}

impl Layer {
    /// A layer that tries once, without limits: every key at its default.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            attempts: Attempts::Count(1),
            base_delay: Duration::ZERO,
            multiplier: Factor::whole(2),
            max_delay: None,
            jitter: Jitter::None,
            per_try_timeout: None,
            deadline: None,
            retry_on: Vec::new(),
            idempotent: true,
            idempotency_key: false,
            respect_retry_after: false,
            max_retry_after: None,
            margin: Duration::ZERO,
            hedge: None,
            budget: None,
            assumed: Vec::new(),
        }
    }

    /// When this layer stops waiting for the next one: the smaller of its two limits.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        match (self.per_try_timeout, self.deadline) {
            (Some(per_try), Some(deadline)) => Some(per_try.min(deadline)),
            (per_try, deadline) => per_try.or(deadline),
        }
    }

    /// Whether there is a second try.
    #[must_use]
    pub fn retries(&self) -> bool {
        self.attempts != Attempts::Count(1)
    }

    /// How many waits there are between the tries; `None` where there is no end.
    #[must_use]
    pub fn waits(&self) -> Option<u32> {
        match self.attempts {
            Attempts::Count(count) => Some(count.saturating_sub(1)),
            Attempts::Unlimited => None,
        }
    }

    /// Whether a server can make a wait longer: it may say how long, and is heard.
    #[must_use]
    pub fn hears_hints(&self) -> bool {
        let told = |condition: &Condition| condition.brings_hint() || condition.is_pushed_back();
        self.respect_retry_after && self.retry_on.iter().any(told)
    }

    /// Whether an operation that isn't idempotent would be sent twice.
    #[must_use]
    pub fn is_unsafe(&self) -> bool {
        !self.idempotent && !self.idempotency_key
    }
}

/// The statuses of gRPC that a call can fail with.
const GRPC: [&str; 16] = [
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

impl Condition {
    /// Whether a server that answers so may say how long to wait: 429 (RFC 6585) and 503 (RFC 9110).
    #[must_use]
    pub fn brings_hint(&self) -> bool {
        match self {
            Self::Status(status) => matches!(status, 429 | 503),
            Self::Word(word) => matches!(
                word.to_ascii_lowercase().as_str(),
                "5xx" | "4xx" | "gateway-error" | "envoy-ratelimited"
            ),
        }
    }

    /// Whether it is a status of gRPC: any failure may come with `grpc-retry-pushback-ms` (gRFC A6).
    #[must_use]
    pub fn is_pushed_back(&self) -> bool {
        match self {
            Self::Status(_) => false,
            Self::Word(word) => GRPC.contains(&word.as_str()) || word.starts_with("code "),
        }
    }

    /// Whether the client is at fault, so that the same request fails again. 408 (timeout), 425 (too early, RFC 8470)
    /// and 429 (too many) are for later.
    #[must_use]
    pub fn is_client_error(&self) -> bool {
        match self {
            Self::Status(status) => (400..500).contains(status) && !matches!(status, 408 | 425 | 429),
            Self::Word(word) => matches!(
                word.to_ascii_lowercase().as_str(),
                "4xx"
                    | "retriable-4xx"
                    | "invalid_argument"
                    | "not_found"
                    | "already_exists"
                    | "permission_denied"
                    | "unauthenticated"
                    | "failed_precondition"
                    | "out_of_range"
                    | "unimplemented"
            ),
        }
    }
}
