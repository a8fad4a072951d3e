//! Retry budgets: how many repeats a whole process may add to what it sends anyway.
//!
//! A service that is down is hit by every client's retries at once; attempts per call can't bound that, for they multiply
//! by the number of calls. A budget bounds the *ratio*: requests (or successes) pay in, repeats are paid from it, and when
//! it is empty, calls fail with their own error instead of piling on.
//!
//! A [`Budget`] is a `static`. It counts in whole units, so that a billion deposits of a tenth are exactly a hundred
//! million; it is lock-free, and a full bucket is only read, so that a healthy service's threads don't share a written
//! cache line. While it isn't full, threads that use it much lease shares of it, which each changes alone.
//!
//! - `bucket`: the arithmetic, checked by loom.
//! - `share`: what one thread has leased of a bucket.
//! - `terms`: the bounds of both, worked out of the scheme.
//! - `scheme`: what is paid when, and the known schemes.
//! - `tally`: the counters, striped by thread.
//! - `slot`: which stripe a thread writes.
//! - `trial`: the tries of a run, each counted once.
//! - `word`: the atomic integer under all of it.

mod account;
mod bucket;
mod scheme;
mod share;
mod slot;
mod tally;
mod terms;
mod trial;
mod word;

use core::fmt;
use core::sync::atomic::AtomicU64;
use std::sync::Arc;

use crate::end::End;
use crate::scope::{self, Context};

pub use account::Account;
use bucket::Apart;
pub(crate) use bucket::Bucket;
pub use scheme::{Penalties, Scheme};
use slot::SLOTS;
pub use tally::Stats;
use tally::{Counter, Tally};
use terms::{Deposit, Terms};
pub use trial::Trial;

/// A token bucket that repeats are paid from; see the [module](self).
///
/// ```
/// use retry_runtime::Budget;
///
/// /// One retry for ten requests, a hundred of them saved up at most.
/// static PAYMENTS: Budget = Budget::ratio(0.1, 100);
///
/// assert_eq!(PAYMENTS.affordable(), 100);
/// ```
///
/// A budget starts full, so that a process that has just started may retry. Two policies share a budget by naming the same
/// static: its address is its identity.
///
/// # Several threads
///
/// More than was saved up and paid in is never spent, nor ever more saved up than the capacity. On one thread every answer is
/// exact.
///
/// A thread that has changed a budget 64 times while it wasn't full leases a share of it, which others don't reach: a 192nd
/// of the capacity, or the dearest repeat and the largest payment together if that is more. At most 24 threads lease at a
/// time, all together an eighth of the capacity at most, or two of them a fifth of a small one; and there are no leases where
/// the capacity is below ten times that repeat and payment, from 2⁴⁰ units on, or where there is a floor. So where several
/// threads use one budget, one may be refused though others hold so much between them, and a payment may find no room though
/// their shares have some. What a thread leaves at its end is there for the others, and what the budget tells of itself, as
/// [`available`](Self::available), counts all shares.
///
/// To be exact, each payment of each thread would need an atomic exchange ([Attiya and others, *Laws of
/// Order*](https://doi.org/10.1145/1926385.1926442)), which costs more than all the rest of it.
pub struct Budget {
    name: &'static str,
    scheme: Scheme,
    terms: Terms,
    /// Written by everybody; what is beside it is only read.
    bucket: Apart<Bucket<AtomicU64, Apart<AtomicU64>>>,
    tally: Tally,
}

/// What is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// A retry after an error.
    Retry,
    /// A retry after an attempt that timed out.
    TimedOut,
    /// A further copy of a hedge.
    Hedge,
}

impl Budget {
    /// A budget of one's own making.
    #[must_use]
    pub const fn new(scheme: Scheme) -> Self {
        Self {
            name: "",
            bucket: Apart(Bucket::apart()),
            tally: Tally::new(),
            terms: Terms::of(&scheme),
            scheme,
        }
    }

    /// `ratio` retries for each request, `capacity` of them saved up at most: Finagle's scheme, and that of Envoy's and
    /// Linkerd's retry budgets.
    ///
    /// Counted in millionths of a retry. A ratio that isn't positive funds nothing, so that the `capacity` is all there is.
    #[must_use]
    pub const fn ratio(ratio: f64, capacity: u32) -> Self {
        Self::new(Scheme::ratio(ratio, capacity))
    }

    /// gRPC's retry throttling (gRFC A6): each failure costs a token, each success gives `token_ratio`, and there are
    /// repeats only while more than half of `max_tokens` is left.
    ///
    /// Counted in thousandths, as the document prescribes.
    #[must_use]
    pub const fn grpc(max_tokens: u32, token_ratio: f64) -> Self {
        Self::new(Scheme::grpc(max_tokens, token_ratio))
    }

    /// The AWS SDKs' standard retry quota: 500 tokens, 5 for a retry, 10 for one after a timeout; a success after a retry
    /// gives back what that retry cost, any other success gives 1.
    #[must_use]
    pub const fn aws() -> Self {
        Self::new(Scheme::AWS)
    }

    /// Refuses nothing, and still counts.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self::new(Scheme::UNLIMITED)
    }

    /// Gives the budget a name for metrics and logs.
    #[must_use]
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Its name; empty where none was given.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What is paid when.
    #[must_use]
    pub const fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The units that are left.
    #[must_use]
    pub fn available(&self) -> u64 {
        self.bucket
            .0
            .available(&self.terms, |slot| self.tally.owned.of(slot))
    }

    /// How many retries could be paid for now, one after another; saturating where a retry is free.
    #[must_use]
    pub fn affordable(&self) -> u64 {
        let above = self.available().checked_sub(self.scheme.floor);
        match above {
            None => 0,
            Some(above) => above.checked_div(self.scheme.retry).unwrap_or(u64::MAX),
        }
    }

    /// Counts a request and pays in what it funds: called when the first attempt of a run starts.
    #[inline]
    pub fn request(&self) {
        self.tally.count(Counter::Requests);
        self.fund(Deposit::Request);
    }

    /// Counts how an attempt ended and pays in or out what that is worth.
    ///
    /// The executor calls it for the attempts of its runs; call it for what runs elsewhere and should count as well.
    #[inline]
    pub fn record(&self, end: End) {
        self.tally.count(end);
        self.settle(end);
    }

    /// The same; the `first` attempt of a run is a request too.
    #[inline(never)]
    fn book(&self, end: End, first: bool) {
        if let End::Success = end
            && first
        {
            self.tally.count(Counter::FirstSuccesses);
        } else {
            self.tally.count(end);
            if first {
                self.tally.count(Counter::Requests);
            }
        }
        self.settle(end);
    }

    /// Pays in or out what an end is worth.
    #[inline]
    fn settle(&self, end: End) {
        if let End::Success = end {
            self.fund(Deposit::Success);
        } else if self.terms.penalty(end) > 0 {
            // Most schemes have none, and need not look at the bucket.
            self.drain(end);
        }
    }

    /// Counts a success after a repeat that cost `paid`, which schemes that lend instead of sell give back.
    #[inline]
    pub fn succeeded(&self, paid: u64) {
        if self.scheme.lends {
            self.returned(paid);
        } else {
            self.record(End::Success);
        }
    }

    #[inline(never)]
    fn returned(&self, paid: u64) {
        if paid > 0 {
            self.tally.count(End::Success);
            self.pay_in(paid);
        } else {
            self.record(End::Success);
        }
    }

    /// Pays for one repeat, if every allowance around and the bucket have enough left.
    ///
    /// What is paid comes back when the [`Charge`] is dropped, unless the repeat has started ([`Charge::spend`]).
    #[must_use]
    #[inline]
    pub fn admit(&'static self, repeat: Repeat) -> Option<Charge> {
        if scope::frame().shared() {
            return self.admit_around(repeat);
        }
        self.withdraw::<false>(repeat)
            .then(|| Charge::new(self, repeat, None))
    }

    /// The same, where allowances are asked as well.
    #[cold]
    #[inline(never)]
    fn admit_around(&'static self, repeat: Repeat) -> Option<Charge> {
        let context = scope::context();
        if let Some(context) = &context
            && !context.charge(self)
        {
            self.tally.count(Counter::Refused);
            return None;
        }
        if !self.withdraw::<false>(repeat) {
            if let Some(context) = &context {
                context.give_back(self);
            }
            return None;
        }
        Some(Charge::new(self, repeat, context))
    }

    /// Pays for one repeat that starts at once: [`admit`](Self::admit) and [`Charge::spend`] in one.
    #[must_use = "a repeat that isn't paid for must not start"]
    #[inline]
    pub fn spend(&'static self, repeat: Repeat) -> bool {
        if scope::frame().shared() {
            return self.admit_around(repeat).map(Charge::spend).is_some();
        }
        self.withdraw::<true>(repeat)
    }

    /// Takes what a repeat costs out of the bucket. Counts it where it `STARTS`, and a refusal always.
    #[inline(never)]
    fn withdraw<const STARTS: bool>(&self, repeat: Repeat) -> bool {
        let Self {
            terms, bucket, tally, ..
        } = self;
        let Some(own) = tally.own() else {
            return self.withdraw_slowly(repeat, STARTS);
        };
        let share = own.share();
        let paid = if share.draw(terms.cost_inside(repeat), bucket.0.filling()) {
            Some(true)
        } else {
            bucket.0.withdraw_alone(terms.cost(repeat), terms, share, &SLOTS)
        };
        match paid {
            Some(true) => {
                if STARTS {
                    own.count(repeat.into());
                }
                true
            }
            Some(false) => {
                own.count(Counter::Refused);
                false
            }
            None => self.withdraw_slowly(repeat, STARTS),
        }
    }

    #[cold]
    #[inline(never)]
    fn withdraw_slowly(&self, repeat: Repeat, starts: bool) -> bool {
        let Self {
            terms, bucket, tally, ..
        } = self;
        let asked = || bucket.0.withdraw(terms.cost(repeat), terms, tally.own());
        let granted = asked() || (self.reclaim() && asked());
        if !granted {
            tally.count(Counter::Refused);
        } else if starts {
            tally.count(repeat);
        }
        granted
    }

    /// Pays in what is paid for this. For a full bucket that is one comparison, not even a look at what it is.
    #[inline]
    fn fund(&self, deposit: Deposit) {
        let Self {
            terms, bucket, tally, ..
        } = self;
        if bucket.0.is_full() {
            return;
        }
        let paid = tally.own().is_some_and(|own| {
            let units = terms.deposit_inside(deposit);
            own.share().pay(units, bucket.0.filling(), terms.lease())
        });
        if !paid {
            self.fund_alone(deposit);
        }
    }

    #[cold]
    #[inline(never)]
    fn fund_alone(&self, deposit: Deposit) {
        self.pay_in_alone(self.terms.deposit(deposit));
    }

    #[inline]
    fn pay_in(&self, units: u64) {
        let Self {
            terms, bucket, tally, ..
        } = self;
        let paid = units <= terms.lease()
            && tally
                .own()
                .is_some_and(|own| own.share().pay(units, bucket.0.filling(), terms.lease()));
        if !paid {
            self.pay_in_alone(units);
        }
    }

    #[inline]
    fn pay_in_alone(&self, units: u64) {
        let Self {
            terms, bucket, tally, ..
        } = self;
        let paid = units == 0
            || tally
                .own()
                .is_some_and(|own| bucket.0.deposit_alone(units, terms, own.share()).is_some());
        if !paid {
            self.pay_in_slowly(units);
        }
    }

    #[cold]
    #[inline(never)]
    fn pay_in_slowly(&self, units: u64) {
        let Self {
            terms, bucket, tally, ..
        } = self;
        let more = bucket.0.deposit(units, terms, tally.own());
        if more > 0 && self.reclaim() {
            bucket.0.deposit(more, terms, tally.own());
        }
    }

    #[cold]
    #[inline(never)]
    fn drain(&self, end: End) {
        let Self { terms, bucket, .. } = self;
        bucket.0.drain(terms.penalty(end), terms, self.tally.own());
    }

    /// Takes back what threads that have ended had leased, and returns whether there was something.
    fn reclaim(&self) -> bool {
        let of = |slot| self.tally.owned.of(slot);
        self.bucket.0.reclaim(&self.terms, &SLOTS, of)
    }

    /// What was counted so far.
    ///
    /// Each figure is exact; together they are no snapshot of one instant while other threads count on.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.tally.stats(self.available())
    }

    /// Fills the bucket and sets all counters to zero: for tests, and for operators after an incident.
    ///
    /// Charges that are out come back on top, up to the capacity.
    pub fn reset(&self) {
        if let Some(own) = self.tally.own() {
            self.bucket.0.hand_back(&self.terms, own);
        }
        self.reclaim();
        self.bucket.0.fill(&self.terms);
        self.tally.reset();
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("name", &self.name)
            .field("scheme", &self.scheme)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

/// A repeat that is paid for and hasn't started: dropped, it gives back what was paid.
#[derive(Debug)]
#[must_use = "a charge that is dropped is given back"]
pub struct Charge {
    budget: &'static Budget,
    repeat: Repeat,
    context: Option<Arc<Context>>,
}

impl Charge {
    #[inline]
    const fn new(budget: &'static Budget, repeat: Repeat, context: Option<Arc<Context>>) -> Self {
        Self {
            budget,
            repeat,
            context,
        }
    }

    /// Takes over what it would give back: the scope whose allowances were charged too, if there are any.
    #[inline]
    fn context(mut self) -> Option<Arc<Context>> {
        let context = self.context.take();
        core::mem::forget(self);
        context
    }

    /// The repeat starts: what was paid stays paid. Returns the units, for [`Budget::succeeded`].
    #[inline]
    #[expect(
        clippy::must_use_candidate,
        reason = "only schemes that lend ask for the units"
    )]
    pub fn spend(self) -> u64 {
        self.budget.tally.count(self.repeat);
        let units = self.budget.terms.cost(self.repeat);
        drop(self.context());
        units
    }
}

impl Drop for Charge {
    #[inline]
    fn drop(&mut self) {
        self.budget.give_back(self.repeat, self.context.take());
    }
}

impl Budget {
    /// A repeat that was paid for doesn't start.
    #[cold]
    #[inline(never)]
    fn give_back(&'static self, repeat: Repeat, context: Option<Arc<Context>>) {
        self.tally.count(Counter::GivenBack);
        self.pay_in(self.terms.cost(repeat));
        if let Some(context) = context {
            context.give_back(self);
        }
    }
}

/// An allowance: at most so many repeats charged to one budget, inside one scope or node.
#[derive(Debug)]
pub(crate) struct Allowance {
    pub(crate) budget: &'static Budget,
    taken: Bucket<AtomicU64>,
    terms: Terms,
}

impl Allowance {
    pub(crate) const fn new(budget: &'static Budget, repeats: u32) -> Self {
        Self {
            budget,
            taken: Bucket::full(),
            terms: Terms::alone(repeats as u64),
        }
    }

    pub(crate) fn is_for(&self, budget: &'static Budget) -> bool {
        core::ptr::eq(self.budget, budget)
    }

    pub(crate) fn left(&self) -> u32 {
        let left = self.terms.capacity() - self.taken.missing(&self.terms);
        u32::try_from(left).unwrap_or(u32::MAX)
    }

    pub(crate) fn take(&self) -> bool {
        self.taken.withdraw(1, &self.terms, None)
    }

    pub(crate) fn give_back(&self) {
        self.taken.deposit(1, &self.terms, None);
    }
}

#[cfg(test)]
mod every_interleaving;
#[cfg(test)]
mod inside;
#[cfg(test)]
mod leases;
#[cfg(test)]
mod tests;
