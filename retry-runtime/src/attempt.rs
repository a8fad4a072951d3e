//! What an operation is told about the attempt that it is.

use core::fmt;
use core::time::Duration;

use tokio::time::Instant;

use crate::clock;
use crate::key::IdempotencyKey;
use crate::scope::{self, Limit, When};

/// One attempt, as its operation sees it.
///
/// It is `Copy` and borrows nothing, so that an operation may take it along wherever it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    limit: Limit,
    number: u32,
    /// Zero where there is no count.
    of: u32,
    copy: u32,
    key: Option<IdempotencyKey>,
}

impl Attempt {
    /// The only attempt of a run without repeats and without limits: what an operation sees outside of a policy.
    pub const ONLY: Self = Self::new(1, 1, 1, Limit::NONE, None);

    /// For the executor: `number` of `of` (zero: no count), `copy`, both from one; `limit` is the earliest enclosing one.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn new(number: u32, of: u32, copy: u32, limit: Limit, key: Option<IdempotencyKey>) -> Self {
        Self {
            limit,
            number,
            of,
            copy,
            key,
        }
    }

    /// Which attempt of the nearest retry this is; the first is 1.
    #[must_use]
    #[inline]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// How many attempts the nearest retry makes at most; `None` for `attempts = unlimited`.
    #[must_use]
    #[inline]
    pub const fn of(&self) -> Option<u32> {
        if self.of == 0 { None } else { Some(self.of) }
    }

    /// Which copy of the nearest hedge this is; the first is 1, also where nothing is hedged.
    #[must_use]
    #[inline]
    pub const fn copy(&self) -> u32 {
        self.copy
    }

    /// Whether the nearest retry has no attempt left after this one.
    ///
    /// A budget or a limit may make an earlier attempt the last; nobody knows that before it has failed.
    #[must_use]
    #[inline]
    pub const fn is_last(&self) -> bool {
        self.of != 0 && self.number >= self.of
    }

    /// When the earliest limit around this attempt ends it, its own bound and the caller's deadline included; `None`
    /// where nothing does.
    ///
    /// A run reads no clock until something in it is first pending, and its limits count from there. Asked before that,
    /// this is the whole limit from now.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        match self.limit.when() {
            When::At(end) => clock::instant(end),
            When::Never => scope::frame().limit().resolve(),
            // Once the run's clock has started, the scope around the operation knows the instant.
            When::In(_) => self.limit.earlier(scope::frame().limit()).resolve(),
        }
    }

    /// The time until [`deadline`](Self::deadline); zero once it has passed, `None` where there is none.
    ///
    /// What a client takes as its own timeout, so that it gives up when this attempt is given up.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        match (self.limit.when(), scope::frame().limit().when()) {
            (When::Never, When::Never) => None,
            // No clock is read for what hasn't started.
            (When::In(nanos), When::Never) => Some(Duration::from_nanos(nanos)),
            (When::In(nanos), When::In(around)) => Some(Duration::from_nanos(nanos.min(around))),
            _ => self
                .deadline()
                .map(|end| end.saturating_duration_since(Instant::now())),
        }
    }

    /// The idempotency key, the same for every attempt and copy of a run; `None` unless the policy asks for one.
    #[must_use]
    #[inline]
    pub const fn idempotency_key(&self) -> Option<IdempotencyKey> {
        self.key
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "attempt {}", self.number)?;
        if self.of != 0 {
            write!(f, " of {}", self.of)?;
        }
        if self.copy > 1 {
            write!(f, ", copy {}", self.copy)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::enter;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn the_last_attempt_knows_that_it_is_and_unlimited_ones_never_do() {
        let number = |number, of| Attempt::new(number, of, 1, Limit::NONE, None);
        assert!(!number(2, 3).is_last());
        assert!(number(3, 3).is_last());
        assert!(!number(3, 0).is_last());
        assert_eq!(number(3, 0).of(), None);
        assert!(Attempt::ONLY.is_last());
    }

    #[test]
    fn an_attempt_tells_what_it_was_made_of() {
        let key = IdempotencyKey::from("order-17");
        let attempt = Attempt::new(2, 5, 3, Limit::NONE, Some(key));
        assert_eq!((attempt.number(), attempt.of(), attempt.copy()), (2, Some(5), 3));
        assert_eq!(attempt.idempotency_key(), Some(key));
    }

    #[test]
    fn before_the_first_wait_the_limit_is_told_to_the_nanosecond_since_no_clock_is_read() {
        let attempt = Attempt::new(1, 1, 1, Limit::after(SECOND), None);
        assert_eq!(attempt.remaining(), Some(Duration::from_secs(1)));
        let _entered = enter(Limit::after(SECOND / 2));
        assert_eq!(attempt.remaining(), Some(Duration::from_millis(500)));
    }

    #[test]
    fn without_a_limit_nothing_remains_to_be_told() {
        assert_eq!(Attempt::ONLY.deadline(), None);
        assert_eq!(Attempt::ONLY.remaining(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_whole_limit_remains_before_the_first_wait_and_the_exact_rest_after_it() {
        let attempt = Attempt::new(1, 1, 1, Limit::after(SECOND), None);
        assert_eq!(attempt.remaining(), Some(Duration::from_secs(1)));

        // What the executor publishes around an operation once its clock has started.
        let end = Instant::now() + Duration::from_secs(1);
        tokio::time::advance(Duration::from_millis(300)).await;
        let _entered = enter(Limit::at(end));
        assert_eq!(attempt.deadline(), Some(end));
        assert_eq!(attempt.remaining(), Some(Duration::from_millis(700)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_passed_deadline_leaves_nothing() {
        let attempt = Attempt::new(1, 1, 1, Limit::at(Instant::now()), None);
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(attempt.remaining(), Some(Duration::ZERO));
    }

    #[test]
    fn it_reads_as_a_person_would_say_it() {
        assert_eq!(
            Attempt::new(2, 3, 1, Limit::NONE, None).to_string(),
            "attempt 2 of 3"
        );
        assert_eq!(
            Attempt::new(1, 0, 2, Limit::NONE, None).to_string(),
            "attempt 1, copy 2"
        );
    }
}
