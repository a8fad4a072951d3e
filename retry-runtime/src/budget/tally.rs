//! What a budget has counted.
//!
//! Counters are striped: each thread writes a stripe of its own ([`slot`]), and a reader sums them up. Nothing ever sets a
//! stripe back, for that would race with its owner: a reset only remembers what the sums were.

use core::sync::atomic::AtomicU64;

use super::Repeat;
use super::share::Share;
use super::slot::{self, OWNED, SHARED};
use super::terms::Retried;
use super::word::{Handed, Word};
use crate::end::End;

/// What is counted, and where in a stripe.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counter {
    // Side by side, and so are other firsts and the others: which of them counts has not to be looked up. Neither have the
    // ends, which are in their order.
    FirstSuccesses,
    Successes,
    Failures,
    TimedOut,
    Throttled,
    Cancelled,
    Requests,
    Retries,
    Hedges,
    Refused,
    GivenBack,
    // What happens most in the runs of a retry is counted in one addition, as above a first try with its success, so here
    // a failure with the retry after it.
    FirstFailuresRetried,
    FailuresRetried,
    FirstTimedOutRetried,
    TimedOutRetried,
}

impl Counter {
    const ALL: [Self; 15] = [
        Self::FirstSuccesses,
        Self::Successes,
        Self::Failures,
        Self::TimedOut,
        Self::Throttled,
        Self::Cancelled,
        Self::Requests,
        Self::Retries,
        Self::Hedges,
        Self::Refused,
        Self::GivenBack,
        Self::FirstFailuresRetried,
        Self::FailuresRetried,
        Self::FirstTimedOutRetried,
        Self::TimedOutRetried,
    ];

    /// A try that ended with a value.
    #[inline]
    pub(super) const fn success(first: bool) -> Self {
        if first {
            Self::FirstSuccesses
        } else {
            Self::Successes
        }
    }

    /// A try that failed, with the retry after it.
    #[inline]
    pub(super) const fn retried(ended: Retried, first: bool) -> Self {
        match ended {
            Retried::Failure if first => Self::FirstFailuresRetried,
            Retried::Failure => Self::FailuresRetried,
            Retried::TimedOut if first => Self::FirstTimedOutRetried,
            Retried::TimedOut => Self::TimedOutRetried,
        }
    }
}

const COUNTERS: usize = Counter::ALL.len();

impl From<End> for Counter {
    #[inline]
    fn from(end: End) -> Self {
        match end {
            End::Success => Self::Successes,
            End::Failure => Self::Failures,
            End::TimedOut => Self::TimedOut,
            End::Throttled => Self::Throttled,
            End::Cancelled => Self::Cancelled,
        }
    }
}

impl From<Repeat> for Counter {
    #[inline]
    fn from(repeat: Repeat) -> Self {
        match repeat {
            Repeat::Retry | Repeat::TimedOut => Self::Retries,
            Repeat::Hedge => Self::Hedges,
        }
    }
}

/// What one slot writes: its counts, and its share of the bucket. Two cache lines, since processors fetch lines in pairs.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Stripe<W> {
    pub(super) counts: [W; COUNTERS],
    /// None ever in a stripe that is shared.
    pub(super) share: Share<W>,
}

/// A stripe in the hands of the thread that owns its slot.
#[derive(Debug)]
pub(super) struct Own<'a, W = AtomicU64> {
    pub(super) slot: usize,
    pub(super) stripe: &'a Stripe<W>,
}

impl<W> Clone for Own<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Own<'_, W> {}

impl<'a, W> Own<'a, W> {
    #[inline]
    pub(super) fn share(self) -> &'a Share<W> {
        &self.stripe.share
    }
}

/// Stripes of slots that are owned, and of those that are shared.
pub(super) struct Tally<W = AtomicU64, const OWN: usize = OWNED, const REST: usize = SHARED> {
    pub(super) owned: [Stripe<W>; OWN],
    pub(super) shared: [Stripe<W>; REST],
    /// The sums at the last reset.
    pub(super) before: [W; COUNTERS],
}

/// What a budget has counted since it began or was reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Runs that started an attempt; those of a retry are counted when their first attempt has ended.
    pub requests: u64,
    /// Attempts that ended with a value.
    pub successes: u64,
    /// Attempts that ended with an error of their own.
    pub failures: u64,
    /// Attempts that were cut off.
    pub timed_out: u64,
    /// Attempts that ended with an error and a hint to come back later.
    pub throttled: u64,
    /// Attempts that were dropped.
    pub cancelled: u64,
    /// Retries that were paid for and started.
    pub retries: u64,
    /// Copies of hedges that were paid for and launched.
    pub hedges: u64,
    /// Repeats that were refused, by an allowance or by the bucket.
    pub refused: u64,
    /// Repeats that were paid for, never started, and given back.
    pub given_back: u64,
    /// The units that are left.
    pub available: u64,
}

impl Stats {
    /// Repeats for each request: by how much this client adds to the load. Zero before the first request.
    #[must_use]
    pub fn repeat_rate(&self) -> f64 {
        rate(self.retries + self.hedges, self.requests)
    }

    /// Refusals for each request: how often the budget was felt. Zero before the first request.
    #[must_use]
    pub fn refusal_rate(&self) -> f64 {
        rate(self.refused, self.requests)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate is read to a few digits")]
fn rate(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

impl Tally {
    pub(super) const fn new() -> Self {
        Self {
            owned: [const { Stripe::new() }; OWNED],
            shared: [const { Stripe::new() }; SHARED],
            before: [const { AtomicU64::new(0) }; COUNTERS],
        }
    }

    /// Counts on this thread.
    #[inline]
    pub(super) fn count(&self, counter: impl Into<Counter>) {
        let counter = counter.into();
        match self.own() {
            Some(own) => own.stripe.count(counter),
            None => self.count_elsewhere(counter),
        }
    }

    #[cold]
    #[inline(never)]
    fn count_elsewhere(&self, counter: Counter) {
        self.count_on(slot::other(), counter);
    }

    /// The stripe of this thread, if it owns a slot.
    #[inline]
    pub(super) fn own(&self) -> Option<Own<'_>> {
        self.of(slot::owned())
    }

    pub(super) fn stats(&self, available: u64) -> Stats {
        use Counter::{
            Cancelled, Failures, FailuresRetried, FirstFailuresRetried, FirstSuccesses, FirstTimedOutRetried,
            GivenBack, Hedges, Refused, Requests, Retries, Successes, Throttled, TimedOut, TimedOutRetried,
        };
        let sum = |counters: &[Counter]| counters.iter().map(|counter| self.counted(*counter)).sum();
        Stats {
            requests: sum(&[
                Requests,
                FirstSuccesses,
                FirstFailuresRetried,
                FirstTimedOutRetried,
            ]),
            successes: sum(&[Successes, FirstSuccesses]),
            failures: sum(&[Failures, FirstFailuresRetried, FailuresRetried]),
            timed_out: sum(&[TimedOut, FirstTimedOutRetried, TimedOutRetried]),
            throttled: self.counted(Throttled),
            cancelled: self.counted(Cancelled),
            retries: sum(&[
                Retries,
                FirstFailuresRetried,
                FailuresRetried,
                FirstTimedOutRetried,
                TimedOutRetried,
            ]),
            hedges: self.counted(Hedges),
            refused: self.counted(Refused),
            given_back: self.counted(GivenBack),
            available,
        }
    }
}

impl Stripe<AtomicU64> {
    pub(super) const fn new() -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; COUNTERS],
            share: Share::none(),
        }
    }
}

impl<W: Word> Stripe<W> {
    /// Counts, where nobody else writes.
    #[inline]
    pub(super) fn count(&self, counter: Counter) {
        let word = &self.counts[counter as usize];
        word.store(word.load() + 1);
    }
}

impl<W: Handed, const OWN: usize, const REST: usize> Tally<W, OWN, REST> {
    /// Counts on a slot.
    pub(super) fn count_on(&self, slot: usize, counter: Counter) {
        match self.owned.get(slot) {
            Some(own) => own.count(counter),
            None => self.shared[(slot - OWN) % REST].counts[counter as usize].add(1),
        }
    }

    /// The slot's stripe, if it is one with an owner.
    #[inline]
    pub(super) fn of(&self, slot: usize) -> Option<Own<'_, W>> {
        let stripe = self.owned.get(slot)?;
        Some(Own { slot, stripe })
    }

    fn sum(&self, counter: Counter) -> u64 {
        let stripes = self.owned.iter().chain(&self.shared);
        stripes.map(|stripe| stripe.counts[counter as usize].load()).sum()
    }

    /// What was counted since the last reset.
    pub(super) fn counted(&self, counter: Counter) -> u64 {
        // Whoever sees the sum of a reset also sees at least the counts in it.
        let before = self.before[counter as usize].load_acquire();
        self.sum(counter) - before
    }

    pub(super) fn reset(&self) {
        for counter in Counter::ALL {
            self.reset_one(counter);
        }
    }

    pub(super) fn reset_one(&self, counter: Counter) {
        self.before[counter as usize].store_release(self.sum(counter));
    }
}
