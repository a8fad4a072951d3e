//! Operations by leaf, while some are still to be given.

/// The operation of a leaf that has been given.
///
/// A run of several leaves has a type for each operation: this one, or one that says which leaf has none yet. Only where
/// all are this one is there a method to run them, so that a missing one is one error, at that method.
#[derive(Clone, Copy, Debug)]
pub struct Given<Operation>(pub Operation);
