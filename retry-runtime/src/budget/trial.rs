//! The tries of one retry, in its budget's books.

use core::mem;
use std::sync::Arc;

use super::terms::Deposit;
use super::{Budget, Repeat};
use crate::end::End;
use crate::rare::gone;
use crate::scope::{self, Context};

/// The try of a retry that is out, or paid for: whatever becomes of it is counted once, also where it is dropped.
///
/// `B` names the static; a closure that captures nothing has no size, and these books lie in every retry's future. Plain
/// bytes each, which are compared and set by one instruction.
#[derive(Debug)]
#[must_use = "a try that is dropped counts as cancelled"]
pub struct Trial<B: Fn() -> &'static Budget> {
    budget: B,
    stage: Stage,
    /// Whether the last try is the first.
    first: bool,
    /// How the last try ended that isn't booked.
    end: End,
    /// What the last try was paid for as, unless it is the first.
    repeat: Repeat,
}

#[derive(Debug)]
enum Stage {
    /// A try is out.
    Out,
    /// None is.
    None,
    /// The last ended without a value, which isn't booked yet: what pays for the next books that as well.
    Ended,
    /// One is paid for and hasn't started.
    Paid,
    /// The same, where allowances were charged as well.
    PaidAround(Arc<Context>),
}

impl<B: Fn() -> &'static Budget> Trial<B> {
    /// The first try, which funds the budget. It has to be one that may start: what never starts a call funds nothing.
    ///
    /// It is counted when it ends, together with how it did.
    #[inline]
    pub fn first(budget: B) -> Self {
        budget().fund(Deposit::Request);
        Self {
            budget,
            stage: Stage::Out,
            first: true,
            end: End::Cancelled,
            repeat: Repeat::Retry,
        }
    }

    /// The try that is out ended without a value.
    #[inline]
    pub fn failed(&mut self, end: End) {
        self.end = end;
        self.set(Stage::Ended);
    }

    /// The same, unless it ended with a value that `until` doesn't take: that was counted already.
    #[inline]
    pub fn ended(&mut self, end: End) {
        if let Stage::Out = self.stage {
            self.failed(end);
        }
    }

    /// Pays for another try that starts once it has been waited for; `false` where it is refused.
    #[inline]
    #[must_use]
    pub fn admit(&mut self, repeat: Repeat) -> bool {
        self.book();
        let Some(charge) = (self.budget)().admit(repeat) else {
            return false;
        };
        let stage = charge.context().map_or(Stage::Paid, Stage::PaidAround);
        self.repeat = repeat;
        self.set(stage);
        true
    }

    /// The try that was paid for starts.
    #[inline]
    pub fn again(&mut self) {
        (self.budget)().tally.count(self.repeat);
        self.first = false;
        self.stage = Stage::Out;
    }

    /// Pays for another try that starts at once; `false` where it is refused.
    #[inline]
    #[must_use]
    pub fn again_at_once(&mut self, repeat: Repeat) -> bool {
        let budget = (self.budget)();
        let granted = if let Stage::Ended = self.stage
            && !scope::frame().shared()
        {
            budget.spend_after(self.end, self.first, repeat)
        } else {
            self.book();
            budget.spend(repeat)
        };
        if granted {
            self.repeat = repeat;
            self.first = false;
            self.set(Stage::Out);
        } else {
            self.set(Stage::None);
        }
        granted
    }

    /// Books how the last try ended, if that has yet to be.
    #[inline]
    fn book(&mut self) {
        if let Stage::Ended = self.stage {
            (self.budget)().book(self.end, self.first);
            self.set(Stage::None);
        }
    }

    /// Enters a stage from one that holds nothing, which the compiler can't know.
    #[inline]
    fn set(&mut self, stage: Stage) {
        mem::forget(mem::replace(&mut self.stage, stage));
    }

    /// The try that is out ended with a value.
    #[inline]
    pub fn succeeded(&mut self) {
        let budget = (self.budget)();
        if self.first {
            budget.book(End::Success, true);
        } else {
            budget.helped(self.repeat);
        }
        // Last, so that a drop right after it knows.
        self.set(Stage::None);
    }
}

impl Budget {
    /// A repeat ended with a value.
    #[inline(never)]
    fn helped(&self, repeat: Repeat) {
        self.succeeded(self.terms.cost(repeat));
    }
}

impl<B: Fn() -> &'static Budget> Drop for Trial<B> {
    #[inline]
    fn drop(&mut self) {
        if !matches!(self.stage, Stage::None) {
            dropped(
                (self.budget)(),
                &mut self.stage,
                self.end,
                self.first,
                self.repeat,
            );
            gone(matches!(self.stage, Stage::None));
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
extern "C" fn dropped(budget: &'static Budget, stage: &mut Stage, end: End, first: bool, repeat: Repeat) {
    match mem::replace(stage, Stage::None) {
        Stage::Out => budget.book(End::Cancelled, first),
        Stage::None => {}
        Stage::Ended => budget.book(end, first),
        Stage::Paid => budget.give_back(repeat, None),
        Stage::PaidAround(context) => budget.give_back(repeat, Some(context)),
    }
}
