//! How a service under a policy fails.

use retry_runtime::Interrupted;

/// The service's own last error, or that the policy ended before there was any.
///
/// ```
/// # use retry_plan::tower::Error;
/// let error = Error::Service("connection reset");
/// assert!(error.interrupted().is_none());
/// assert_eq!(error.into_service(), Some("connection reset"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error<E> {
    /// What the service failed with, as it was.
    #[error(transparent)]
    Service(E),
    /// A limit passed, or the scope was cancelled, before the service had answered once.
    #[error(transparent)]
    Interrupted(Interrupted),
}

impl<E> Error<E> {
    /// The service's own error, if it is one.
    pub fn into_service(self) -> Option<E> {
        match self {
            Self::Service(error) => Some(error),
            Self::Interrupted(_) => None,
        }
    }

    /// What interrupted the run, if something did.
    pub const fn interrupted(&self) -> Option<Interrupted> {
        match self {
            Self::Service(_) => None,
            Self::Interrupted(interrupted) => Some(*interrupted),
        }
    }
}
