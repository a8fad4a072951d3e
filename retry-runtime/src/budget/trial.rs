//! The tries of one retry, in its budget's books.

use core::mem;
use std::sync::Arc;

use super::terms::Deposit;
use super::{Budget, Repeat};
use crate::end::End;
use crate::scope::{self, Context};

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
    /// The first is out.
    First,
    /// One is out that was paid for.
    Again(Repeat),
    /// No try is out.
    None,
    /// The first ended without a value, which isn't booked yet: what pays for the next books that as well.
    FirstEnded(End),
    /// The same of one that was paid for.
    Ended(End),
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
        let budget = (self.budget)();
        if let Some((end, first)) = self.booked() {
            budget.book(end, first);
        }
        let stage = match budget.charge(repeat) {
            None => return false,
            Some(None) => Stage::Paid(repeat),
            Some(Some(context)) => Stage::PaidAround(repeat, context),
        };
        self.set(stage);
        true
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
        let budget = (self.budget)();
        let granted = match self.booked() {
            Some((end, first)) if !scope::frame().shared() => budget.spend_after(end, first, repeat),
            ended => {
                if let Some((end, first)) = ended {
                    budget.book(end, first);
                }
                budget.spend(repeat)
            }
        };
        if granted {
            self.set(Stage::Again(repeat));
        }
        granted
    }

    /// How the last try ended and whether it was the first, if that has yet to be booked; it's the caller's then.
    #[inline]
    fn booked(&mut self) -> Option<(End, bool)> {
        let ended = match self.stage {
            Stage::FirstEnded(end) => (end, true),
            Stage::Ended(end) => (end, false),
            _ => return None,
        };
        self.set(Stage::None);
        Some(ended)
    }

    /// Enters a stage from one that holds nothing, which the compiler can't know.
    #[inline]
    fn set(&mut self, stage: Stage) {
        mem::forget(mem::replace(&mut self.stage, stage));
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
        match self.stage {
            Stage::First => self.set(Stage::FirstEnded(end)),
            Stage::Again(_) => self.set(Stage::Ended(end)),
            _ => {}
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

/// Out of line, so that a run whose tries have all ended is dropped in a few instructions.
#[cold]
#[inline(never)]
fn dropped(budget: &'static Budget, stage: Stage) {
    match stage {
        Stage::None => {}
        Stage::First => budget.book(End::Cancelled, true),
        Stage::Again(_) => budget.record(End::Cancelled),
        Stage::FirstEnded(end) => budget.book(end, true),
        Stage::Ended(end) => budget.record(end),
        Stage::Paid(repeat) => budget.give_back(repeat, None),
        Stage::PaidAround(repeat, context) => budget.give_back(repeat, Some(context)),
    }
}
