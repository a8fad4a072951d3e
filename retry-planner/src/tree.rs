//! The policy as data: a flat slice of nodes in preorder, so that a `const` can hold it and nothing recurses over it.
//!
//! A node at index `i` with `size = s` owns `nodes[i..i + s]`; its first child is `i + 1`, and a child's next sibling
//! starts where the child's subtree ends.

use core::time::Duration;

use crate::lint::Levels;

/// A whole policy: its name and its tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy<'a> {
    /// What errors call it.
    pub name: &'a str,
    /// The nodes in preorder; the root is the first.
    pub nodes: &'a [Node<'a>],
}

/// One node and the size of what it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<'a> {
    /// The name of a leaf, step or branch; empty where none was given.
    pub name: &'a str,
    /// How many nodes the subtree has, this one included.
    pub size: usize,
    /// The levels in force here, those of the enclosing nodes and of the policy included.
    pub levels: Levels,
    /// What it is.
    pub kind: Kind<'a>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    /// The user's operation.
    Attempt(Attempt),
    /// Cancels its child once the time has passed since this node started.
    Timeout(Range),
    /// A point on the policy's own clock, measured from the start of the run.
    Deadline(Range),
    /// Its child again, on error.
    Retry(Retry<'a>),
    /// Its child again while the first copy is still out.
    Hedge(Hedge<'a>),
    /// One after another; stops at the first failure.
    Series,
    /// Together; the first failure cancels the rest.
    Parallel,
    /// The next one when one fails, until one succeeds.
    Fallback,
    /// Together; the first success wins.
    Race,
    /// Another policy, planned by itself, with its own clock.
    Call(Callee<'a>),
    /// At most so many retries and hedges charged to one key inside.
    Allowance(Allowance<'a>),
}

/// A duration known within bounds; both ends are equal for a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least it can be.
    pub lo: Duration,
    /// The most it can be.
    pub hi: Duration,
}

impl Range {
    /// A value that is known exactly.
    #[must_use]
    pub const fn exact(value: Duration) -> Self {
        Self { lo: value, hi: value }
    }
}

/// The user's operation: what is enforced, what is declared, and whether it may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The bound that the executor enforces.
    pub bound: Option<Range>,
    /// What the operation is declared to take.
    pub takes: Option<Takes>,
    /// `false` only where `idempotent = false` was written.
    pub idempotent: bool,
    /// Whether an idempotency key goes with it.
    pub key: bool,
}

/// `takes = lo..=hi`: no success before `lo`, no end after `hi`; a failure may come at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// The fastest success; zero where only a maximum is declared.
    pub min: Range,
    /// The latest end; `None` for `lo..`, which needs a bound.
    pub max: Option<Range>,
}

/// A count known within bounds; both ends are equal for a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The least it can be.
    pub lo: u32,
    /// The most it can be.
    pub hi: u32,
}

impl Count {
    /// A count that is known exactly.
    #[must_use]
    pub const fn exact(value: u32) -> Self {
        Self { lo: value, hi: value }
    }
}

/// How many attempts a retry makes, the first included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// `attempts = n`: the planner holds the policy to whole attempts.
    Exactly(Count),
    /// `attempts = ..=n`: as many as fit.
    UpTo(Count),
    /// `attempts = unlimited`.
    Unlimited,
}

/// Again on error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retry<'a> {
    /// How many.
    pub attempts: Attempts,
    /// The waits between them.
    pub backoff: Backoff<'a>,
    /// The spread of each wait; `None` where it isn't written (full for growing backoffs, none for the others).
    pub jitter: Option<Jitter>,
    /// What each retry is charged to.
    pub budget: Option<Charge<'a>>,
    /// Whether a `when` decides which errors are retried.
    pub when: bool,
    /// Whether an `until` looks at values.
    pub until: bool,
    /// `timeouts = stop`: a timed-out child ends the retry.
    pub stop_on_timeout: bool,
    /// Whether, and up to what, a server's hint is honoured (`retry_after`).
    pub hint: Option<Hint>,
}

/// A honoured hint and its greatest wait; without one it is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The most that is waited for it.
    pub max: Option<Range>,
}

/// What a repeat is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge<'a> {
    /// The budget's path as written, without white space.
    pub key: &'a str,
    /// Units for one repeat, at the highest.
    pub cost: u32,
}

/// At most `limit` units charged to `key` inside, whoever spends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance<'a> {
    /// The budget's path as written, without white space.
    pub key: &'a str,
    /// How many units.
    pub limit: Count,
}

/// More copies of a child that hasn't answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hedge<'a> {
    /// The time without an answer after which the next copy starts.
    pub after: Range,
    /// How many copies, the first included.
    pub copies: Count,
    /// What each further copy is charged to.
    pub budget: Option<Charge<'a>>,
}

/// The waits of a retry, before jitter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backoff<'a> {
    /// No wait.
    None,
    /// The same wait each time.
    Fixed(Range),
    /// `min(max, base·k)` before retry `k`.
    Linear {
        /// The first wait.
        base: Range,
        /// The cap.
        max: Option<Range>,
    },
    /// `min(max, base·factor^(k-1))` before retry `k`.
    Exponential {
        /// The first wait.
        base: Range,
        /// What each wait is multiplied by.
        factor: Factor,
        /// The cap.
        max: Option<Range>,
    },
    /// `min(max, U(base, 3·previous))`.
    Decorrelated {
        /// The least wait.
        base: Range,
        /// The cap.
        max: Option<Range>,
    },
    /// The waits as listed.
    Schedule {
        /// One wait for each retry.
        waits: &'a [Range],
        /// Whether the last repeats (`..`).
        repeat_last: bool,
    },
}

/// How a wait is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// `[d, d]`
    None,
    /// `[0, d]`
    Full,
    /// `[d/2, d]`
    Equal,
    /// `[d·(1-x), d·(1+x)]`, cut at the backoff's `max`; `x` in `0..=1`.
    Spread(Factor),
}

/// A decimal held exactly: `digits / 10^scale`, so that `1.1` is eleven tenths and nothing drifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// All digits as a whole number.
    pub digits: u64,
    /// How many of them stand behind the point, at most 18.
    pub scale: u32,
}

impl Factor {
    /// A whole factor.
    #[must_use]
    pub const fn whole(value: u64) -> Self {
        Self {
            digits: value,
            scale: 0,
        }
    }
}

/// A retry or a hedge, as a product of calls tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeater<'a> {
    /// The policy that it stands in.
    pub name: &'a str,
    /// How often it starts what it holds, at most; `None` where unlimited.
    pub times: Option<u64>,
}

/// What a caller sees of another policy: its plan's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callee<'a> {
    /// The policy's name.
    pub name: &'a str,
    /// Its fastest success.
    pub best: Duration,
    /// Its fastest failure.
    pub fastest_failure: Duration,
    /// Its latest end; `None` where it has none.
    pub worst: Option<Duration>,
    /// Its work, summed over calls; `None` where unbounded.
    pub work: Option<Duration>,
    /// Most calls in all; `None` where unbounded.
    pub calls: Option<u64>,
    /// Most calls to one of its leaves, as amplification counts them; `None` where unbounded.
    pub leaf_calls: Option<u64>,
    /// How many repeaters on the way to one of its leaves pay into no budget, at most.
    pub unpaid: u32,
    /// The repeaters that multiply to `leaf_calls`, the outermost first.
    pub repeaters: &'a [Repeater<'a>],
    /// Whether an attempt inside is `idempotent = false` without a key.
    pub unsafe_to_repeat: bool,
    /// Demand by budget key.
    pub charges: &'a [Charge<'a>],
}
