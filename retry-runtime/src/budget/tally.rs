//! What a budget has counted.
//!
//! Counters are striped: each thread writes a stripe of its own ([`slot`]), and a reader sums them up. Nothing ever sets a
//! stripe back, for that would race with its owner: a reset only remembers what the sums were.

use core::sync::atomic::AtomicU64;

use super::Repeat;
use super::share::{IDLE, Share};
use super::slot::{self, OWNED, SHARED, WORDS};
use super::terms::Retried;
use super::word::{Handed, Word};
use crate::end::End;

/// What is counted, and where in a stripe: a whole word, so that places are reckoned in without being widened.
#[derive(Debug, Clone, Copy)]
#[repr(usize)]
pub(super) enum Counter {
    // A first try's has that of the others beside it: which of them counts has not to be looked up. Neither have the ends,
    // which are in their order.
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

    /// A first try that ended like this, with the retry after it; beside it is that of the others.
    #[inline]
    pub(super) const fn first_retried(ended: Retried) -> Self {
        match ended {
            Retried::Failure => Self::FirstFailuresRetried,
            Retried::TimedOut => Self::FirstTimedOutRetried,
        }
    }
}

pub(super) const COUNTERS: usize = Counter::ALL.len();
const _: () = {
    assert!(Counter::Successes as usize == Counter::FirstSuccesses as usize + 1);
    assert!(Counter::FailuresRetried as usize == Counter::FirstFailuresRetried as usize + 1);
    assert!(Counter::TimedOutRetried as usize == Counter::FirstTimedOutRetried as usize + 1);
};

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

/// What one slot writes: its counts, and last its [`Share`] of the bucket. Two cache lines, since processors fetch lines in
/// pairs.
type Stripe<W> = [W; WORDS];
const _: () = assert!(COUNTERS + 1 == WORDS, "a share after the counts");

/// Stripes side by side: a thread knows the first word of its own, so that no word needs more than an addition.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Stripes<W, const SLOTS: usize>(pub(super) [Stripe<W>; SLOTS]);

impl<const SLOTS: usize> Stripes<AtomicU64, SLOTS> {
    pub(super) const fn new() -> Self {
        Self(
            [const {
                let mut stripe = [const { AtomicU64::new(0) }; WORDS];
                stripe[COUNTERS] = AtomicU64::new(IDLE);
                stripe
            }; SLOTS],
        )
    }
}

impl<W, const SLOTS: usize> Stripes<W, SLOTS> {
    /// The stripe from that word on, if it is one of these.
    #[inline]
    fn from(&self, first: usize) -> Option<Own<'_, W>> {
        let words = self.0.as_flattened();
        (first <= words.len() - WORDS).then_some(Own { first, words })
    }

    /// The stripe of a slot, if it is one of these.
    #[inline]
    pub(super) fn of(&self, slot: usize) -> Option<Own<'_, W>> {
        self.from(slot * WORDS)
    }
}

/// A stripe in the hands of the thread that owns its slot.
#[derive(Debug)]
pub(super) struct Own<'a, W = AtomicU64> {
    /// The first word of the stripe, among those of all.
    first: usize,
    words: &'a [W],
}

impl<W> Clone for Own<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Own<'_, W> {}

impl<'a, W> Own<'a, W> {
    pub(super) fn slot(self) -> usize {
        self.first / WORDS
    }

    #[inline]
    pub(super) fn share(self) -> Share<'a, W> {
        Share(&self.words[self.first + COUNTERS])
    }
}

impl<W: Word> Own<'_, W> {
    /// Counts, where nobody else writes.
    #[inline]
    pub(super) fn count(self, counter: Counter) {
        self.count_either(counter, 0);
    }

    /// Counts `first` or, where `later` is 1, the counter beside it.
    #[inline]
    pub(super) fn count_either(self, first: Counter, later: usize) {
        let word = &self.words[self.first + first as usize + (later & 1)];
        word.store(word.load() + 1);
    }
}

/// Stripes of slots that are owned, and of those that are shared.
pub(super) struct Tally<W = AtomicU64, const OWN: usize = OWNED, const REST: usize = SHARED> {
    pub(super) owned: Stripes<W, OWN>,
    /// Their shares are never of a lease.
    pub(super) shared: Stripes<W, REST>,
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
            owned: Stripes::new(),
            shared: Stripes::new(),
            before: [const { AtomicU64::new(0) }; COUNTERS],
        }
    }

    /// Counts on this thread.
    #[inline]
    pub(super) fn count(&self, counter: impl Into<Counter>) {
        let counter = counter.into();
        match self.own() {
            Some(own) => own.count(counter),
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
        self.owned.from(slot::first_word())
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

impl<W: Handed, const OWN: usize, const REST: usize> Tally<W, OWN, REST> {
    /// Counts on a slot.
    pub(super) fn count_on(&self, slot: usize, counter: Counter) {
        match self.owned.of(slot) {
            Some(own) => own.count(counter),
            None => self.shared.0[(slot - OWN) % REST][counter as usize].add(1),
        }
    }

    fn sum(&self, counter: Counter) -> u64 {
        let stripes = self.owned.0.iter().chain(&self.shared.0);
        stripes.map(|stripe| stripe[counter as usize].load()).sum()
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
