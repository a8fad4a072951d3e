//! The tries of one retry, in its budget's books.

use super::{Budget, Charge};
use crate::end::End;

/// The try of a retry that is out: whatever becomes of it is counted once, also where it is dropped.
///
/// `B` names the static; a closure that captures nothing has no size, and these books lie in every retry's future.
#[derive(Debug)]
#[must_use = "a try that is dropped counts as cancelled"]
pub struct Trial<B: Fn() -> &'static Budget> {
    budget: B,
    /// What was paid for the try.
    paid: u64,
    out: bool,
}

impl<B: Fn() -> &'static Budget> Trial<B> {
    /// The first try, which funds the budget if it may start.
    #[inline]
    pub fn first(budget: B, admitted: bool) -> Self {
        if admitted {
            budget().request();
        }
        Self {
            budget,
            paid: 0,
            out: admitted,
        }
    }

    /// Another try, which was paid for.
    #[inline]
    pub fn again(&mut self, charge: Charge) {
        self.paid = charge.spend();
        self.out = true;
    }

    /// It ended with a value.
    #[inline]
    pub fn succeeded(&mut self) {
        if core::mem::take(&mut self.out) {
            (self.budget)().succeeded(self.paid);
        }
    }

    /// It ended in another way; nothing, if a value that `until` doesn't take was counted already.
    #[inline]
    pub fn ended(&mut self, end: End) {
        if core::mem::take(&mut self.out) {
            (self.budget)().record(end);
        }
    }
}

impl<B: Fn() -> &'static Budget> Drop for Trial<B> {
    #[inline]
    fn drop(&mut self) {
        self.ended(End::Cancelled);
    }
}
