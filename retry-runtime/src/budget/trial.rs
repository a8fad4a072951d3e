//! The tries of one retry, in its budget's books.

use core::convert::Infallible;
use core::mem::{self, ManuallyDrop};
use std::sync::Arc;

use super::terms::Deposit;
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
    /// What it was paid for as; the first isn't.
    paid: Option<Repeat>,
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

    #[inline]
    const fn is_first(&self) -> bool {
        self.paid.is_none()
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
        self.book();
        let Some(charge) = (self.budget)().admit(repeat) else {
            return false;
        };
        self.books.paid = Some(repeat);
        self.books
            .enter(charge.context().map_or(Stage::Paid, Stage::PaidAround));
        true
    }

    /// The try that was paid for starts.
    #[inline]
    pub fn again(&mut self) {
        if let Some(repeat) = self.books.paid {
            (self.budget)().tally.count(repeat);
        }
        self.books.stage = Stage::Out;
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
                paid: None,
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
            budget.spend_after(end, self.books.is_first(), repeat)
        } else {
            self.book();
            budget.spend(repeat)
        };
        if granted {
            self.books.paid = Some(repeat);
            self.books.enter(Stage::Out);
        } else {
            self.books.enter(Stage::Done);
        }
        granted
    }

    /// Books how the last try ended, if that has yet to be.
    #[inline]
    fn book(&mut self) {
        if let Stage::Ended(end) = self.books.stage {
            (self.budget)().book(end, self.books.is_first());
            self.books.enter(Stage::Done);
        }
    }

    /// The try that is out ended with a value.
    #[inline]
    pub fn succeeded(&mut self) {
        (self.budget)().worked(self.books.paid);
        // Last, so that a drop right after it knows.
        self.books.enter(Stage::Done);
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
    if let Some(repeat) = books.paid {
        budget.give_back(repeat, context);
    }
}
