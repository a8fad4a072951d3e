//! Who pays for the tries of a plain run: nobody, or a budget ([`Account`](crate::budget::Account)).

use crate::budget::Repeat;
use crate::end::End;

/// Who pays.
pub trait Payer {
    /// Whether anybody has to.
    const PAYS: bool;
    /// A payment for a try that has yet to start; it comes back where that is dropped.
    type Charge;

    /// The first try starts, which funds the budget.
    fn first(&self);

    /// The first try ended with a value.
    fn first_succeeded(&self);

    /// The last try ended with a value.
    fn succeeded(&self);

    /// The last try ended without one; what pays for the next books that as well.
    fn failed(&mut self, end: End);

    /// Pays for another try; `None` where it is refused.
    fn admit(&mut self, repeat: Repeat) -> Option<Self::Charge>;

    /// The try that was paid for starts.
    fn again(&mut self, charge: Self::Charge);

    /// There is no further try: books the last one, if that has yet to be.
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
