//! This project's policies, each the work of a hand-written loop in the same table.

use crate::operation::{Refusal, Remote};
use retry_plan::{Budget, retry, retry_policy};

static BUDGET: Budget = Budget::ratio(0.2, 100);

/// Each run pays for both of its repeats, so that none is refused: another budget would soon be empty, and its runs end after
/// one attempt.
static FUNDED: Budget = Budget::ratio(2.0, 100);

retry_policy! {
    /// Three attempts, a predicate, jittered waits, a budget.
    #[allow(unbounded, reason = "the contest is about retries without limits")]
    pub(super) struct Paid {
        type Error = Refusal;
        retry(
            attempts = 3,
            backoff = exponential(100ms, factor = 2, max = 1s),
            when = Refusal::is_transient,
            budget = BUDGET
        ) {
            attempt
        }
    }
}

retry_policy! {
    /// The same without a budget.
    #[allow(unbounded, reason = "the contest is about retries without limits")]
    pub(super) struct Plain {
        type Error = Refusal;
        retry(
            attempts = 3,
            backoff = exponential(100ms, factor = 2, max = 1s),
            when = Refusal::is_transient
        ) {
            attempt
        }
    }
}

/// As [`Paid`], on a function.
#[retry(
    attempts = 3,
    backoff = exponential(100ms, factor = 2, max = 1s),
    when = Refusal::is_transient,
    budget = BUDGET
)]
#[allow(unbounded, reason = "the contest is about retries without limits")]
pub(super) async fn paid(remote: &Remote) -> Result<u64, Refusal> {
    remote.ready().await
}

/// As [`Plain`], on a function.
#[retry(
    attempts = 3,
    backoff = exponential(100ms, factor = 2, max = 1s),
    when = Refusal::is_transient
)]
#[allow(unbounded, reason = "the contest is about retries without limits")]
pub(super) async fn plain(remote: &Remote) -> Result<u64, Refusal> {
    remote.ready().await
}

retry_policy! {
    /// Three attempts without a wait, a predicate, a budget.
    #[allow(unbounded, reason = "the contest is about retries without limits")]
    pub(super) struct PaidAtOnce {
        type Error = Refusal;
        retry(attempts = 3, backoff = none, when = Refusal::is_transient, budget = FUNDED) { attempt }
    }
}

retry_policy! {
    /// The same without a budget.
    #[allow(unbounded, reason = "the contest is about retries without limits")]
    pub(super) struct AtOnce {
        type Error = Refusal;
        retry(attempts = 3, backoff = none, when = Refusal::is_transient) { attempt }
    }
}

/// As [`PaidAtOnce`], on a function.
#[retry(attempts = 3, backoff = none, when = Refusal::is_transient, budget = FUNDED)]
#[allow(unbounded, reason = "the contest is about retries without limits")]
pub(super) async fn paid_at_once(remote: &Remote) -> Result<u64, Refusal> {
    remote.ready().await
}

/// As [`AtOnce`], on a function.
#[retry(attempts = 3, backoff = none, when = Refusal::is_transient)]
#[allow(unbounded, reason = "the contest is about retries without limits")]
pub(super) async fn at_once(remote: &Remote) -> Result<u64, Refusal> {
    remote.ready().await
}

retry_policy! {
    /// One attempt, bounded.
    pub(super) struct One {
        type Error = Refusal;
        attempt(500ms)
    }
}

retry_policy! {
    /// Three bounded attempts, a predicate, jittered waits.
    pub(super) struct Bounded {
        type Error = Refusal;
        retry(
            attempts = 3,
            backoff = exponential(100ms, factor = 2, max = 1s),
            when = Refusal::is_transient
        ) {
            attempt(500ms)
        }
    }
}

retry_policy! {
    /// The same without a predicate: a plain policy, whose loop stands in the runtime.
    pub(super) struct BoundedPlain {
        type Error = Refusal;
        retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 1s)) { attempt(500ms) }
    }
}

/// As [`BoundedPlain`], on a function.
#[retry(attempts = 3, attempt = 500ms, backoff = exponential(100ms, factor = 2, max = 1s))]
pub(super) async fn bounded_plain(remote: &Remote) -> Result<u64, Refusal> {
    remote.ready().await
}

/// As [`Bounded`], on a function.
#[retry(
    attempts = 3,
    attempt = 500ms,
    backoff = exponential(100ms, factor = 2, max = 1s),
    when = Refusal::is_transient
)]
pub(super) async fn bounded(remote: &Remote) -> Result<u64, Refusal> {
    remote.ready().await
}

retry_policy! {
    /// Three bounded attempts without a wait.
    pub(super) struct BoundedAtOnce {
        type Error = Refusal;
        retry(attempts = 3, backoff = none, when = Refusal::is_transient) { attempt(500ms) }
    }
}

retry_policy! {
    /// The same without a predicate.
    pub(super) struct BoundedAtOncePlain {
        type Error = Refusal;
        retry(attempts = 3, backoff = none) { attempt(500ms) }
    }
}

/// As [`BoundedAtOnce`], on a function.
#[retry(attempts = 3, attempt = 500ms, backoff = none, when = Refusal::is_transient)]
pub(super) async fn bounded_at_once(remote: &Remote) -> Result<u64, Refusal> {
    remote.yielding().await
}

retry_policy! {
    /// Three nested limits, a retry between each two.
    pub(super) struct Nested {
        type Error = Refusal;
        timeout(6s) {
            retry(
                attempts = 3,
                backoff = exponential(100ms, factor = 2, max = 1s),
                when = Refusal::is_transient
            ) {
                timeout(2s) {
                    retry(
                        attempts = 3,
                        backoff = exponential(100ms, factor = 2, max = 1s),
                        when = Refusal::is_transient
                    ) {
                        attempt(500ms)
                    }
                }
            }
        }
    }
}

retry_policy! {
    /// As [`Bounded`], with two limits more around it.
    pub(super) struct Limits {
        type Error = Refusal;
        deadline(6s) {
            timeout(5s) {
                retry(
                    attempts = 3,
                    backoff = exponential(100ms, factor = 2, max = 1s),
                    when = Refusal::is_transient
                ) {
                    attempt(500ms)
                }
            }
        }
    }
}

retry_policy! {
    /// Four bounded branches.
    pub(super) struct Four {
        type Error = Refusal;
        parallel {
            a: attempt(500ms),
            b: attempt(500ms),
            c: attempt(500ms),
            d: attempt(500ms),
        }
    }
}

retry_policy! {
    /// A second copy after a millisecond.
    #[allow(unbounded, reason = "the contest is about hedges without limits")]
    pub(super) struct Hedged {
        type Error = Refusal;
        hedge(after = 1ms, copies = 2) { attempt }
    }
}

retry_policy! {
    /// The same, each copy bounded.
    pub(super) struct HedgedBounded {
        type Error = Refusal;
        hedge(after = 1ms, copies = 2) { attempt(500ms) }
    }
}

/// As [`Paid`], in place.
pub(super) fn paid_in_place(remote: &Remote) -> impl Future<Output = Result<u64, Refusal>> {
    retry_policy! {
        type Error = Refusal;
        #[allow(unbounded, reason = "the contest is about retries without limits")]
        retry(
            attempts = 3,
            backoff = exponential(100ms, factor = 2, max = 1s),
            when = Refusal::is_transient,
            budget = BUDGET
        ) {
            attempt async |_| remote.ready().await
        }
    }
}

/// [`Bounded`], in place.
pub(super) fn bounded_in_place(remote: &Remote) -> impl Future<Output = Result<u64, Refusal>> {
    retry_policy!(
        attempts = 3,
        attempt = 500ms,
        backoff = exponential(100ms, factor = 2, max = 1s),
        when = Refusal::is_transient,
        async |_| remote.ready().await
    )
}

retry_policy! {
    /// As [`Bounded`], with a bound that doesn't come while a crowd is measured.
    pub(super) struct Patient {
        type Error = Refusal;
        retry(
            attempts = 3,
            backoff = exponential(100ms, factor = 2, max = 1s),
            when = Refusal::is_transient
        ) {
            attempt(500s)
        }
    }
}
