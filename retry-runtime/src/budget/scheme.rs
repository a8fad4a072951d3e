//! What is paid when: a budget's constants, and the schemes that are in use.

use super::Repeat;

/// A budget's constants, all in whole units.
///
/// ```
/// use retry_runtime::{Budget, Penalties, Scheme};
///
/// /// Each success earns a unit, a retry costs ten, one after a timeout twenty; overload costs five more.
/// static SEARCH: Budget = Budget::new(Scheme {
///     capacity: 1_000,
///     per_success: 1,
///     retry: 10,
///     timed_out: 20,
///     hedge: 10,
///     penalties: Penalties { throttled: 5, ..Penalties::NONE },
///     ..Scheme::UNLIMITED
/// });
/// assert_eq!(SEARCH.affordable(), 100);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// The most units that are saved up; the budget starts with them.
    pub capacity: u64,
    /// Paid in when the first attempt of a run starts.
    pub per_request: u64,
    /// Paid in for each attempt that succeeds.
    pub per_success: u64,
    /// What a retry costs.
    pub retry: u64,
    /// What a retry costs after an attempt that timed out.
    pub timed_out: u64,
    /// What a further copy of a hedge costs.
    pub hedge: u64,
    /// What has to be left after a repeat was paid for; a reserve, or the threshold of a throttle.
    pub floor: u64,
    /// Whether a success gives back what its own retry cost, in place of `per_success`.
    pub lends: bool,
    /// What ends other than a success cost, whether or not they are retried.
    pub penalties: Penalties,
}

/// What each end of an attempt costs that isn't a success; taken as far as there is something to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Penalties {
    /// An error of the operation's own.
    pub failure: u64,
    /// A timed-out attempt.
    pub timed_out: u64,
    /// An error with a server's hint to come back later.
    pub throttled: u64,
    /// A dropped attempt.
    pub cancelled: u64,
}

impl Penalties {
    /// None.
    pub const NONE: Self = Self {
        failure: 0,
        timed_out: 0,
        throttled: 0,
        cancelled: 0,
    };
}

impl Scheme {
    /// Everything free.
    pub const UNLIMITED: Self = Self {
        capacity: 0,
        per_request: 0,
        per_success: 0,
        retry: 0,
        timed_out: 0,
        hedge: 0,
        floor: 0,
        lends: false,
        penalties: Penalties::NONE,
    };

    /// The AWS SDKs' standard quota; see [`Budget::aws`](super::Budget::aws).
    pub const AWS: Self = Self {
        capacity: 500,
        per_success: 1,
        retry: 5,
        timed_out: 10,
        hedge: 5,
        lends: true,
        ..Self::UNLIMITED
    };

    /// `ratio` retries for each request; see [`Budget::ratio`](super::Budget::ratio).
    #[must_use]
    pub const fn ratio(ratio: f64, capacity: u32) -> Self {
        const RETRY: u64 = 1_000_000;
        Self {
            capacity: capacity as u64 * RETRY,
            per_request: nearest(ratio, RETRY),
            retry: RETRY,
            timed_out: RETRY,
            hedge: RETRY,
            ..Self::UNLIMITED
        }
    }

    /// gRPC's throttling; see [`Budget::grpc`](super::Budget::grpc).
    #[must_use]
    pub const fn grpc(max_tokens: u32, token_ratio: f64) -> Self {
        const TOKEN: u64 = 1_000;
        let capacity = max_tokens as u64 * TOKEN;
        Self {
            capacity,
            per_success: nearest(token_ratio, TOKEN),
            // Repeats are free while *more* than half is left; it is failures that cost.
            floor: capacity / 2 + 1,
            penalties: Penalties {
                failure: TOKEN,
                timed_out: TOKEN,
                throttled: TOKEN,
                cancelled: 0,
            },
            ..Self::UNLIMITED
        }
    }

    /// What a repeat costs.
    #[must_use]
    pub const fn cost(&self, repeat: Repeat) -> u64 {
        match repeat {
            Repeat::Retry => self.retry,
            Repeat::TimedOut => self.timed_out,
            Repeat::Hedge => self.hedge,
        }
    }
}

/// The whole number of `1/units` that is nearest to `ratio`; zero for what isn't a positive number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the cast saturates and gives zero for NaN, which is what is wanted"
)]
const fn nearest(ratio: f64, units: u64) -> u64 {
    (ratio * units as f64 + 0.5) as u64
}
