//! The tries of one retry, in its budget's books.

use core::mem;
use std::sync::Arc;

use super::terms::Deposit;
use super::{Budget, Repeat};
use crate::end::End;
use crate::scope::Context;

/// The try of a retry that is out, or paid for: whatever becomes of it is counted once, also where it is dropped.
///
/// `B` names the static; a closure that captures nothing has no size, and these books lie in every retry's future.
#[derive(Debug)]
#[must_use = "a try that is dropped counts as cancelled"]
pub struct Trial<B: Fn() -> &'static Budget> {
    budget: B,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    // Those with a try that is out come first, so that one comparison tells them.
    /// The first is out.
    First,
    /// One is out that was paid for.
    Again(Repeat),
    /// No try is out.
    None,
    /// One is paid for and hasn't started.
    Paid(Repeat),
    /// The same, where allowances were charged as well.
    PaidAround(Repeat, Arc<Context>),
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
            stage: Stage::First,
        }
    }

    /// Pays for another try that starts once it has been waited for; `false` where it is refused.
    #[inline]
    #[must_use]
    pub fn admit(&mut self, repeat: Repeat) -> bool {
        let stage = match (self.budget)().charge(repeat) {
            None => return false,
            Some(None) => Stage::Paid(repeat),
            Some(Some(context)) => Stage::PaidAround(repeat, context),
        };
        self.set(stage);
        true
    }

    /// Enters a stage from one that holds nothing, which the compiler can't know.
    #[inline]
    fn set(&mut self, stage: Stage) {
        mem::forget(mem::replace(&mut self.stage, stage));
    }

    /// The try that was paid for starts.
    #[inline]
    pub fn again(&mut self) {
        if let Stage::Paid(repeat) | Stage::PaidAround(repeat, _) = self.stage {
            (self.budget)().tally.count(repeat);
            self.stage = Stage::Again(repeat);
        }
    }

    /// Pays for another try that starts at once; `false` where it is refused.
    #[inline]
    #[must_use]
    pub fn again_at_once(&mut self, repeat: Repeat) -> bool {
        let granted = (self.budget)().spend(repeat);
        if granted {
            self.set(Stage::Again(repeat));
        }
        granted
    }

    /// It ended with a value.
    #[inline]
    pub fn succeeded(&mut self) {
        if let Stage::First = self.stage {
            (self.budget)().book(End::Success, true);
            // Last, so that a drop right after it knows.
            self.set(Stage::None);
        } else {
            self.helped();
        }
    }

    /// A repeat ended with a value.
    #[inline]
    fn helped(&mut self) {
        if let Stage::Again(repeat) = self.stage {
            self.set(Stage::None);
            let budget = (self.budget)();
            budget.succeeded(budget.terms.cost(repeat));
        }
    }

    /// It ended in another way; nothing, if a value that `until` doesn't take was counted already.
    #[inline]
    pub fn ended(&mut self, end: End) {
        let first = match self.stage {
            Stage::First => true,
            Stage::Again(_) => false,
            _ => return,
        };
        self.set(Stage::None);
        (self.budget)().failed(end, first);
    }
}

impl Budget {
    /// A try ended without a value.
    #[inline(never)]
    fn failed(&self, end: End, first: bool) {
        self.book(end, first);
    }
}

impl<B: Fn() -> &'static Budget> Drop for Trial<B> {
    #[inline]
    fn drop(&mut self) {
        if !matches!(self.stage, Stage::None) {
            dropped((self.budget)(), mem::replace(&mut self.stage, Stage::None));
        }
    }
}

/// Out of line, so that a run whose tries have all ended is dropped in a few instructions.
#[cold]
#[inline(never)]
fn dropped(budget: &'static Budget, stage: Stage) {
    match stage {
        Stage::None => {}
        Stage::First => budget.book(End::Cancelled, true),
        Stage::Again(_) => budget.record(End::Cancelled),
        Stage::Paid(repeat) => budget.give_back(repeat, None),
        Stage::PaidAround(repeat, context) => budget.give_back(repeat, Some(context)),
    }
}
