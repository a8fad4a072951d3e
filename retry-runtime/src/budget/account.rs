//! The tries of a run that knows itself whether one is out.

use super::terms::Deposit;
use super::trial::Paid;
use super::{Budget, Charge, Repeat};
use crate::end::End;
use crate::plain::Payer;

/// The tries of a run, in its budget's books; what a [`Trial`](super::Trial) is to generated code, without what the run knows.
///
/// Nobody books for it where it is dropped: the run has to say what became of each try.
#[derive(Debug)]
pub struct Account<B> {
    budget: B,
    /// What the last try was paid for as.
    paid: Paid,
    /// As what the last try is booked where the run ends without a value; a first that is out isn't noted.
    end: Option<End>,
}

impl<B: Fn() -> &'static Budget> Account<B> {
    /// No try yet.
    #[must_use]
    #[inline]
    pub const fn new(budget: B) -> Self {
        Self {
            budget,
            paid: Paid::First,
            end: None,
        }
    }
}

impl<B: Fn() -> &'static Budget> Payer for Account<B> {
    const PAYS: bool = true;
    type Charge = Charge;

    #[inline]
    fn first(&self) {
        (self.budget)().fund(Deposit::Request);
    }

    #[inline]
    fn first_succeeded(&self) {
        (self.budget)().worked(Paid::First);
    }

    #[inline]
    fn succeeded(&self) {
        (self.budget)().worked(self.paid);
    }

    #[inline]
    fn failed(&mut self, end: End) {
        self.end = Some(end);
    }

    #[inline]
    fn admit(&mut self, repeat: Repeat) -> Option<Charge> {
        self.close();
        let charge = (self.budget)().admit(repeat)?;
        self.paid = Paid::of(repeat);
        Some(charge)
    }

    #[inline]
    fn again(&mut self, charge: Charge) {
        charge.spend();
        self.end = Some(End::Cancelled);
    }

    #[inline]
    fn close(&mut self) {
        if let Some(end) = self.end.take() {
            (self.budget)().book(end, self.paid.is_first());
        }
    }

    fn dropped(&mut self, begun: bool) {
        if begun && self.end.is_none() && self.paid.is_first() {
            self.end = Some(End::Cancelled);
        }
        self.close();
    }
}
