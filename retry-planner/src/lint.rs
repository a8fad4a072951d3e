//! The findings' names and levels: the one place that lists them.

/// What the planner has to say about a policy; the name is a lint name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Lint {
    /// Even the fastest success ends after the limit.
    Impossible,
    /// An attempt, copy, step or branch can't start before the limit, however fast the others fail.
    Unreachable,
    /// A limit that is longer than an enclosing one leaves, so that it can never act.
    NeverFires,
    /// The worst case ends after the limit.
    CannotFit,
    /// More retries and hedges than an allowance or a snapshot has left.
    RetryBudgetExceeded,
    /// No snapshot for a budget that has demand (run time only).
    RetryBudgetUnverified,
    /// No worst case.
    Unbounded,
    /// An attempt without a bound under a repeat that has a limit.
    NoAttemptTimeout,
    /// `idempotent = false` and no key, retried.
    RetryUnsafe,
    /// `idempotent = false` and no key, hedged.
    HedgeUnsafe,
    /// Every wait is zero, and there are more than two retries.
    HotLoop,
    /// Nested repeats multiply to more than ten calls of one leaf.
    Amplification,
    /// A figure left the range of `Duration` or of a count.
    Overflow,
    /// No jitter, and `jitter = none` isn't written.
    NoJitter,
    /// A growing backoff without `max` that reaches its fourth wait.
    NoCap,
    /// `after` is not below the inner worst case.
    UselessHedge,
    /// An `#[expect]` of what isn't found.
    UnfulfilledExpect,
    /// No limit around the policy (off in macros).
    NoDeadline,
    /// More than five attempts (off in macros).
    TooManyAttempts,
    /// A server's hint is ignored (off in macros).
    IgnoresRetryAfter,
    /// A client error is retried (off in macros).
    RetriesClientErrors,
}

/// What is done about a finding, as in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Silent.
    Allow,
    /// Silent, and itself a finding (`unfulfilled_expect`) when there is nothing to silence.
    Expect,
    /// Reported; the policy still compiles.
    Warn,
    /// Refused.
    Deny,
}

impl Lint {
    /// One bit of the two that [`Levels`] has for it.
    pub(crate) const fn bit(self) -> u64 {
        1 << (2 * self as u64)
    }

    /// Every lint, in the order of their strength.
    pub const ALL: [Self; 21] = [
        Self::Impossible,
        Self::Unreachable,
        Self::NeverFires,
        Self::CannotFit,
        Self::RetryBudgetExceeded,
        Self::RetryBudgetUnverified,
        Self::Unbounded,
        Self::NoAttemptTimeout,
        Self::RetryUnsafe,
        Self::HedgeUnsafe,
        Self::HotLoop,
        Self::Amplification,
        Self::Overflow,
        Self::NoJitter,
        Self::NoCap,
        Self::UselessHedge,
        Self::UnfulfilledExpect,
        Self::NoDeadline,
        Self::TooManyAttempts,
        Self::IgnoresRetryAfter,
        Self::RetriesClientErrors,
    ];

    /// The name in attributes and messages, such as `cannot_fit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Impossible => "impossible",
            Self::Unreachable => "unreachable",
            Self::NeverFires => "never_fires",
            Self::CannotFit => "cannot_fit",
            Self::RetryBudgetExceeded => "retry_budget_exceeded",
            Self::RetryBudgetUnverified => "retry_budget_unverified",
            Self::Unbounded => "unbounded",
            Self::NoAttemptTimeout => "no_attempt_timeout",
            Self::RetryUnsafe => "retry_unsafe",
            Self::HedgeUnsafe => "hedge_unsafe",
            Self::HotLoop => "hot_loop",
            Self::Amplification => "amplification",
            Self::Overflow => "overflow",
            Self::NoJitter => "no_jitter",
            Self::NoCap => "no_cap",
            Self::UselessHedge => "useless_hedge",
            Self::UnfulfilledExpect => "unfulfilled_expect",
            Self::NoDeadline => "no_deadline",
            Self::TooManyAttempts => "too_many_attempts",
            Self::IgnoresRetryAfter => "ignores_retry_after",
            Self::RetriesClientErrors => "retries_client_errors",
        }
    }

    /// The level in macros where nothing else is said.
    #[must_use]
    pub const fn default_level(self) -> Level {
        match self {
            Self::NoJitter | Self::NoCap | Self::UselessHedge | Self::UnfulfilledExpect => Level::Warn,
            Self::NoDeadline
            | Self::TooManyAttempts
            | Self::IgnoresRetryAfter
            | Self::RetriesClientErrors => Level::Allow,
            _ => Level::Deny,
        }
    }
}

/// The lower one of each lint's two bits.
const LOWER: u64 = u64::MAX / 3;

/// The level of each lint at one node, two bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Levels(u64);

impl Levels {
    /// What holds where no attribute says otherwise.
    pub const DEFAULT: Self = {
        let mut levels = Self(0);
        let mut i = 0;
        while i < Lint::ALL.len() {
            levels = levels.with(Lint::ALL[i], Lint::ALL[i].default_level());
            i += 1;
        }
        levels
    };

    /// The same levels with one changed.
    #[must_use]
    pub const fn with(self, lint: Lint, level: Level) -> Self {
        let at = 2 * lint as u64;
        Self(self.0 & !(3 << at) | (level as u64) << at)
    }

    /// A bit, as [`Lint::bit`] has it, for each lint that is denied.
    pub(crate) const fn denied(self) -> u64 {
        self.0 & self.0 >> 1 & LOWER
    }

    /// The same for each lint that isn't allowed.
    pub(crate) const fn heard(self) -> u64 {
        (self.0 | self.0 >> 1) & LOWER
    }

    /// The level of `lint`.
    #[must_use]
    pub const fn get(self, lint: Lint) -> Level {
        match (self.0 >> (2 * lint as u64)) & 3 {
            0 => Level::Allow,
            1 => Level::Expect,
            2 => Level::Warn,
            _ => Level::Deny,
        }
    }
}
