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
    /// What was paid for the try that is out, nothing for the first; `NONE` where none is.
    paid: u64,
}

/// No repeat is paid with so much.
const NONE: u64 = u64::MAX;

impl<B: Fn() -> &'static Budget> Trial<B> {
    /// The first try, which funds the budget. It has to be one that may start: what never starts a call funds nothing.
    #[inline]
    pub fn first(budget: B) -> Self {
        budget().request();
        Self { budget, paid: 0 }
    }

    /// Another try, which was paid for.
    #[inline]
    pub fn again(&mut self, charge: Charge) {
        self.paid = charge.spend();
    }

    /// It ended with a value.
    #[inline]
    pub fn succeeded(&mut self) {
        if self.paid == 0 {
            (self.budget)().record(End::Success);
        } else {
            self.helped();
        }
        // Last, so that a drop right after it knows.
        self.paid = NONE;
    }

    /// A repeat ended with a value; nothing, if no try is out.
    #[inline(never)]
    fn helped(&self) {
        if self.paid != NONE {
            (self.budget)().succeeded(self.paid);
        }
    }

    /// It ended in another way; nothing, if a value that `until` doesn't take was counted already.
    #[inline]
    pub fn ended(&mut self, end: End) {
        if self.paid != NONE {
            (self.budget)().record(end);
            self.paid = NONE;
        }
    }
}

impl<B: Fn() -> &'static Budget> Drop for Trial<B> {
    #[inline]
    fn drop(&mut self) {
        if self.paid != NONE {
            cancelled((self.budget)());
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
extern "C" fn cancelled(budget: &Budget) {
    budget.record(End::Cancelled);
}
