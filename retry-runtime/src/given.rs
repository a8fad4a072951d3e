//! Operations by leaf, while some are still to be given.
//!
//! A run of several leaves has a type for each operation: [`Operation`], or one that says which leaf has none yet. Only
//! where all are given is there a method to run them, so that a missing one is one error, at that method.

/// The operation of a leaf.
#[derive(Clone, Copy, Debug)]
pub struct Operation<F>(pub F);

/// A leaf's operation has been given.
pub trait Given {
    /// The operation's own type.
    type Operation;

    /// The operation.
    fn operation(self) -> Self::Operation;
}

impl<F> Given for Operation<F> {
    type Operation = F;

    #[inline]
    fn operation(self) -> F {
        self.0
    }
}
