//! What a budget has counted.
//!
//! Two counters are written by every run, so they are striped: each thread writes a stripe of its own, and a reader sums
//! them up. The others are written only when something went wrong, and are plain.

use core::cell::Cell;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::Repeat;
use crate::end::End;

const STRIPES: usize = 8;

/// Two cache lines, since processors fetch lines in pairs.
#[repr(align(128))]
struct Stripe {
    requests: AtomicU64,
    successes: AtomicU64,
}

pub(super) struct Tally {
    stripes: [Stripe; STRIPES],
    failures: AtomicU64,
    timed_out: AtomicU64,
    throttled: AtomicU64,
    cancelled: AtomicU64,
    retries: AtomicU64,
    hedges: AtomicU64,
    refused: AtomicU64,
    given_back: AtomicU64,
}

/// What a budget has counted since it began or was reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Runs that started an attempt.
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

thread_local! {
    /// The stripe of this thread; `NONE` before it first counts.
    static STRIPE: Cell<usize> = const { Cell::new(NONE) };
}

const NONE: usize = usize::MAX;

#[cold]
fn take_stripe() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    let taken = THREADS.fetch_add(1, Relaxed) % STRIPES;
    STRIPE.set(taken);
    taken
}

impl Tally {
    pub(super) const fn new() -> Self {
        Self {
            stripes: [const {
                Stripe {
                    requests: AtomicU64::new(0),
                    successes: AtomicU64::new(0),
                }
            }; STRIPES],
            failures: AtomicU64::new(0),
            timed_out: AtomicU64::new(0),
            throttled: AtomicU64::new(0),
            cancelled: AtomicU64::new(0),
            retries: AtomicU64::new(0),
            hedges: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            given_back: AtomicU64::new(0),
        }
    }

    #[inline]
    fn stripe(&self) -> &Stripe {
        let taken = match STRIPE.get() {
            NONE => take_stripe(),
            taken => taken,
        };
        &self.stripes[taken % STRIPES]
    }

    #[inline]
    pub(super) fn request(&self) {
        self.stripe().requests.fetch_add(1, Relaxed);
    }

    #[inline]
    pub(super) fn end(&self, end: End) {
        let counter = match end {
            End::Success => &self.stripe().successes,
            End::Failure => &self.failures,
            End::TimedOut => &self.timed_out,
            End::Throttled => &self.throttled,
            End::Cancelled => &self.cancelled,
        };
        counter.fetch_add(1, Relaxed);
    }

    pub(super) fn repeat(&self, repeat: Repeat) {
        let counter = match repeat {
            Repeat::Retry | Repeat::TimedOut => &self.retries,
            Repeat::Hedge => &self.hedges,
        };
        counter.fetch_add(1, Relaxed);
    }

    pub(super) fn refused(&self) {
        self.refused.fetch_add(1, Relaxed);
    }

    pub(super) fn given_back(&self) {
        self.given_back.fetch_add(1, Relaxed);
    }

    pub(super) fn stats(&self, available: u64) -> Stats {
        let sum =
            |of: fn(&Stripe) -> &AtomicU64| self.stripes.iter().map(|stripe| of(stripe).load(Relaxed)).sum();
        Stats {
            requests: sum(|stripe| &stripe.requests),
            successes: sum(|stripe| &stripe.successes),
            failures: self.failures.load(Relaxed),
            timed_out: self.timed_out.load(Relaxed),
            throttled: self.throttled.load(Relaxed),
            cancelled: self.cancelled.load(Relaxed),
            retries: self.retries.load(Relaxed),
            hedges: self.hedges.load(Relaxed),
            refused: self.refused.load(Relaxed),
            given_back: self.given_back.load(Relaxed),
            available,
        }
    }

    pub(super) fn reset(&self) {
        let striped = self
            .stripes
            .iter()
            .flat_map(|stripe| [&stripe.requests, &stripe.successes]);
        let plain = [
            &self.failures,
            &self.timed_out,
            &self.throttled,
            &self.cancelled,
            &self.retries,
            &self.hedges,
            &self.refused,
            &self.given_back,
        ];
        for counter in striped.chain(plain) {
            counter.store(0, Relaxed);
        }
    }
}
