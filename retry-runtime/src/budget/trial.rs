//! The tries of one retry, in its budget's books.

use core::mem;
use std::sync::Arc;

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
    /// No try is out.
    None,
    /// The first is out.
    First,
    /// One is out that was paid for.
    Again(Repeat),
    /// One is paid for and hasn't started.
    Paid(Repeat),
    /// The same, where allowances were charged as well.
    PaidAround(Repeat, Arc<Context>),
}

impl<B: Fn() -> &'static Budget> Trial<B> {
    /// The first try, which funds the budget. It has to be one that may start: what never starts a call funds nothing.
    #[inline]
    pub fn first(budget: B) -> Self {
        budget().request();
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
        let budget = (self.budget)();
        match self.stage {
            Stage::First => budget.record(End::Success),
            Stage::Again(repeat) => budget.helped(repeat),
            _ => return,
        }
        // Last, so that a drop right after it knows.
        self.set(Stage::None);
    }

    /// It ended in another way; nothing, if a value that `until` doesn't take was counted already.
    #[inline]
    pub fn ended(&mut self, end: End) {
        if let Stage::First | Stage::Again(_) = self.stage {
            (self.budget)().record(end);
            self.set(Stage::None);
        }
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

impl Budget {
    /// A repeat ended with a value.
    #[inline(never)]
    fn helped(&self, repeat: Repeat) {
        self.succeeded(self.terms.cost(repeat));
    }
}

/// Out of line, so that a run whose tries have all ended is dropped in a few instructions.
#[cold]
#[inline(never)]
fn dropped(budget: &'static Budget, stage: Stage) {
    match stage {
        Stage::None => {}
        Stage::First | Stage::Again(_) => budget.record(End::Cancelled),
        Stage::Paid(repeat) => budget.give_back(repeat, None),
        Stage::PaidAround(repeat, context) => budget.give_back(repeat, Some(context)),
    }
}
