//! Who pays for the tries of a plain run.

use crate::budget::{Account, Budget, Charge, Repeat};
use crate::end::End;

/// Who pays.
pub trait Payer {
    /// Whether anybody has to.
    const PAYS: bool;
    /// A payment for a try that has yet to start; it comes back where that is dropped.
    type Charge;

    /// The first try starts.
    fn first(&self);

    /// The first try ended with a value.
    fn first_succeeded(&self);

    /// The last try ended with a value.
    fn succeeded(&self);

    /// The last try ended without one.
    fn failed(&mut self, end: End);

    /// Pays for another try; `None` where it is refused.
    fn admit(&mut self, repeat: Repeat) -> Option<Self::Charge>;

    /// The try that was paid for starts.
    fn again(&mut self, charge: Self::Charge);

    /// There is no further try after one that ended.
    fn close(&mut self);

    /// The run is dropped before its end, which had `begun` its first try or hadn't.
    fn dropped(&mut self, begun: bool);
}

/// Nobody has to.
#[derive(Clone, Copy, Debug)]
pub struct Free;

impl Payer for Free {
    const PAYS: bool = false;
    type Charge = ();

    #[inline]
    fn first(&self) {}

    #[inline]
    fn first_succeeded(&self) {}

    #[inline]
    fn succeeded(&self) {}

    #[inline]
    fn failed(&mut self, _: End) {}

    #[inline]
    fn admit(&mut self, _: Repeat) -> Option<()> {
        Some(())
    }

    #[inline]
    fn again(&mut self, (): ()) {}

    #[inline]
    fn close(&mut self) {}

    #[inline]
    fn dropped(&mut self, _: bool) {}
}

/// A budget does.
impl<B: Fn() -> &'static Budget> Payer for Account<B> {
    const PAYS: bool = true;
    type Charge = Charge;

    #[inline]
    fn first(&self) {
        self.first();
    }

    #[inline]
    fn first_succeeded(&self) {
        self.first_succeeded();
    }

    #[inline]
    fn succeeded(&self) {
        self.succeeded();
    }

    #[inline]
    fn failed(&mut self, end: End) {
        self.failed(end);
    }

    #[inline]
    fn admit(&mut self, repeat: Repeat) -> Option<Charge> {
        self.admit(repeat)
    }

    #[inline]
    fn again(&mut self, charge: Charge) {
        self.again(charge);
    }

    #[inline]
    fn close(&mut self) {
        self.close();
    }

    #[inline]
    fn dropped(&mut self, begun: bool) {
        self.dropped(begun);
    }
}
