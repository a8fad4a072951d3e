//! The tries of one retry, in its budget's books.

use core::convert::Infallible;
use core::mem::{self, ManuallyDrop};
use std::sync::Arc;

use super::tally::Counter;
use super::terms::{Deposit, Retried};
use super::{Budget, Repeat};
use crate::end::End;
use crate::scope::{self, Context};

/// The try of a retry that is out, or paid for: whatever becomes of it is counted once, also where it is dropped.
///
/// `B` names the static; a closure that captures nothing has no size. `H` holds the allowances that a try was charged to while
/// it is waited for, and is nothing where tries start at once.
#[derive(Debug)]
#[must_use = "a try that is dropped counts as cancelled"]
pub struct Trial<B: Fn() -> &'static Budget, H: Held = Arc<Context>> {
    budget: B,
    /// Emptied by [`dropped`], so that the compiler needn't see to it in each run.
    books: ManuallyDrop<Books<H>>,
}

/// What is charged besides the bucket, between the payment for a try and its start.
pub trait Held {
    /// Its context.
    fn context(self) -> Arc<Context>;
}

impl Held for Arc<Context> {
    #[inline]
    fn context(self) -> Self {
        self
    }
}

/// There is no time between.
impl Held for Infallible {
    fn context(self) -> Arc<Context> {
        match self {}
    }
}

/// What is known of the last try; it lies in every retry's future.
#[derive(Debug)]
struct Books<H> {
    stage: Stage<H>,
    paid: Paid,
}

/// What a try was paid for as. All but the first have one bit in common, so that it needn't be looked up where one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paid {
    First = 0,
    Retry = 1,
    TimedOut = 3,
    Hedge = 5,
}

impl Paid {
    #[inline]
    pub(super) const fn of(repeat: Repeat) -> Self {
        match repeat {
            Repeat::Retry => Self::Retry,
            Repeat::TimedOut => Self::TimedOut,
            Repeat::Hedge => Self::Hedge,
        }
    }

    /// The bit: 0 for the first, 1 for all others.
    #[inline]
    const fn later(self) -> usize {
        self as usize & 1
    }

    #[inline]
    pub(super) const fn is_first(self) -> bool {
        matches!(self, Self::First)
    }

    const fn repeat(self) -> Option<Repeat> {
        match self {
            Self::First => None,
            Self::Retry => Some(Repeat::Retry),
            Self::TimedOut => Some(Repeat::TimedOut),
            Self::Hedge => Some(Repeat::Hedge),
        }
    }
}

#[derive(Debug)]
enum Stage<H> {
    /// It is out.
    Out,
    /// All is booked.
    Done,
    /// It ended without a value, which isn't booked yet: what pays for the next books that as well.
    Ended(End),
    /// It is paid for and hasn't started.
    Paid,
    /// The same, where allowances were charged as well.
    PaidAround(H),
}

impl<H> Books<H> {
    /// Enters a stage from one that holds nothing, which the compiler can't know.
    #[inline]
    fn enter(&mut self, stage: Stage<H>) {
        mem::forget(mem::replace(&mut self.stage, stage));
    }

    /// Books how the try ended, if that has yet to be.
    #[inline]
    fn book(&mut self, budget: &Budget) {
        if let Stage::Ended(end) = self.stage {
            budget.book(end, self.is_first());
            self.enter(Stage::Done);
        }
    }

    #[inline]
    const fn is_first(&self) -> bool {
        self.paid.is_first()
    }
}

impl<B: Fn() -> &'static Budget> Trial<B> {
    /// The first try, which funds the budget. It has to be one that may start: what never starts a call funds nothing.
    ///
    /// It is counted when it ends, together with how it did. Where no try is waited for, [`at_once`](Trial::at_once) is less
    /// to carry along.
    #[inline]
    pub fn first(budget: B) -> Self {
        Self::new(budget)
    }

    /// Pays for another try that starts once it has been waited for; `false` where it is refused.
    #[inline]
    #[must_use]
    pub fn admit(&mut self, repeat: Repeat) -> bool {
        self.books.admit((self.budget)(), repeat)
    }

    /// The try that was paid for starts.
    #[inline]
    pub fn again(&mut self) {
        self.books.again((self.budget)());
    }
}

/// Out of line: beside a wait, a call is nothing, and what runs do that don't fail has more registers to itself.
impl Books<Arc<Context>> {
    #[inline(never)]
    fn admit(&mut self, budget: &'static Budget, repeat: Repeat) -> bool {
        self.book(budget);
        let Some(charge) = budget.admit(repeat) else {
            return false;
        };
        self.paid = Paid::of(repeat);
        self.enter(charge.context().map_or(Stage::Paid, Stage::PaidAround));
        true
    }

    #[inline(never)]
    fn again(&mut self, budget: &Budget) {
        if let Some(repeat) = self.paid.repeat() {
            budget.tally.count(repeat);
        }
        self.stage = Stage::Out;
    }
}

impl<B: Fn() -> &'static Budget> Trial<B, Infallible> {
    /// The first try, as [`first`](Trial::first) is, of a retry whose tries all start at once.
    #[inline]
    pub fn at_once(budget: B) -> Self {
        Self::new(budget)
    }
}

impl<B: Fn() -> &'static Budget, H: Held> Trial<B, H> {
    #[inline]
    fn new(budget: B) -> Self {
        budget().fund(Deposit::Request);
        Self {
            budget,
            books: ManuallyDrop::new(Books {
                stage: Stage::Out,
                paid: Paid::First,
            }),
        }
    }

    /// The try that is out ended without a value.
    #[inline]
    pub fn failed(&mut self, end: End) {
        self.books.enter(Stage::Ended(end));
    }

    /// The same, unless it ended with a value that `until` doesn't take: that was counted already.
    #[inline]
    pub fn ended(&mut self, end: End) {
        if let Stage::Out = self.books.stage {
            self.failed(end);
        }
    }

    /// Pays for another try that starts at once; `false` where it is refused.
    #[inline]
    #[must_use]
    pub fn again_at_once(&mut self, repeat: Repeat) -> bool {
        let budget = (self.budget)();
        let granted = if let Stage::Ended(end) = self.books.stage
            && !scope::frame().shared()
        {
            budget.spend_after(end, self.books.paid, repeat)
        } else {
            self.books.book(budget);
            budget.spend(repeat)
        };
        if granted {
            self.books.paid = Paid::of(repeat);
            self.books.enter(Stage::Out);
        } else {
            self.books.enter(Stage::Done);
        }
        granted
    }

    /// The try that is out ended with a value.
    #[inline]
    pub fn succeeded(&mut self) {
        (self.budget)().worked(self.books.paid);
        // Last, so that a drop right after it knows.
        self.books.enter(Stage::Done);
    }
}

impl Budget {
    /// Counts the success of a try, and pays in what it's worth.
    #[inline]
    pub(super) fn worked(&self, paid: Paid) {
        if (self.terms.counts_successes() || self.bucket.0.is_full())
            && let Some(own) = self.tally.own()
        {
            own.count_either(Counter::FirstSuccesses, paid.later());
        } else {
            self.worked_and_pays(paid);
        }
    }

    #[cold]
    #[inline(never)]
    fn worked_and_pays(&self, paid: Paid) {
        match paid.repeat() {
            None => self.book(End::Success, true),
            Some(repeat) => self.succeeded(self.terms.cost(repeat)),
        }
    }

    /// Books the end of a try and pays for the next, which starts at once: in one payment and one count where the thread
    /// has a lease.
    #[inline]
    fn spend_after(&self, end: End, paid: Paid, repeat: Repeat) -> bool {
        let Self {
            terms, bucket, tally, ..
        } = self;
        if let Some(retried) = Retried::of(end, repeat)
            && let Some(own) = tally.own()
            && own
                .share()
                .draw(terms.retried_inside(retried), bucket.0.filling())
        {
            own.count_either(Counter::first_retried(retried), paid.later());
            true
        } else {
            self.spend_after_all(end, paid, repeat)
        }
    }

    #[cold]
    #[inline(never)]
    fn spend_after_all(&self, end: End, paid: Paid, repeat: Repeat) -> bool {
        self.book(end, paid.is_first());
        self.withdraw::<true>(repeat)
    }
}

impl<B: Fn() -> &'static Budget, H: Held> Drop for Trial<B, H> {
    #[inline]
    fn drop(&mut self) {
        if !matches!(self.books.stage, Stage::Done) {
            dropped((self.budget)(), &mut self.books);
        }
    }
}

/// Out of line and without unwinding; see [`rare`](crate::rare).
#[cold]
#[inline(never)]
#[allow(
    improper_ctypes_definitions,
    reason = "only Rust calls it; the calling convention is one that doesn't unwind"
)]
extern "C" fn dropped<H: Held>(budget: &'static Budget, books: &mut Books<H>) {
    let stage = mem::replace(&mut books.stage, Stage::Done);
    let context = match stage {
        Stage::Done => return,
        Stage::Out => return budget.book(End::Cancelled, books.is_first()),
        Stage::Ended(end) => return budget.book(end, books.is_first()),
        Stage::Paid => None,
        Stage::PaidAround(held) => Some(held.context()),
    };
    if let Some(repeat) = books.paid.repeat() {
        budget.give_back(repeat, context);
    }
}
