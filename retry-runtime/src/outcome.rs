//! What an operation may return: success and failure, told apart by type.

/// The result of an operation, whatever its type.
///
/// Implemented for `Result` and for `Option`, whose `None` fails with [`Missing`]. Implement it for a type of your own to
/// have its operations retried as they are:
///
/// ```
/// use retry_runtime::Outcome;
///
/// enum Reply { Found(String), Busy, Gone }
///
/// #[derive(Debug, PartialEq)]
/// enum Refusal { Busy, Gone }
///
/// impl Outcome for Reply {
///     type Value = String;
///     type Error = Refusal;
///
///     fn into_result(self) -> Result<String, Refusal> {
///         match self {
///             Reply::Found(text) => Ok(text),
///             Reply::Busy => Err(Refusal::Busy),
///             Reply::Gone => Err(Refusal::Gone),
///         }
///     }
///
///     fn from_result(result: Result<String, Refusal>) -> Self {
///         match result {
///             Ok(text) => Reply::Found(text),
///             Err(Refusal::Busy) => Reply::Busy,
///             Err(Refusal::Gone) => Reply::Gone,
///         }
///     }
/// }
/// assert_eq!(Reply::Busy.into_result(), Err(Refusal::Busy));
/// ```
#[diagnostic::on_unimplemented(
    message = "an operation has to return a `Result`, an `Option` or another `Outcome`",
    label = "`{Self}` says nothing about success and failure"
)]
pub trait Outcome {
    /// What a success holds.
    type Value;
    /// What a failure holds.
    type Error;

    /// Success or failure.
    ///
    /// # Errors
    ///
    /// The operation's own error.
    fn into_result(self) -> Result<Self::Value, Self::Error>;

    /// The outcome of a whole run, made of what its last attempt brought: what a function with `#[retry]` returns.
    fn from_result(result: Result<Self::Value, Self::Error>) -> Self;
}

impl<T, E> Outcome for Result<T, E> {
    type Value = T;
    type Error = E;

    #[inline]
    fn into_result(self) -> Result<T, E> {
        self
    }

    #[inline]
    fn from_result(result: Result<T, E>) -> Self {
        result
    }
}

impl<T> Outcome for Option<T> {
    type Value = T;
    type Error = Missing;

    #[inline]
    fn into_result(self) -> Result<T, Missing> {
        self.ok_or(Missing(None))
    }

    #[inline]
    fn from_result(result: Result<T, Missing>) -> Self {
        result.ok()
    }
}

/// The error of an operation that returned `None`, or was interrupted before it returned at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no value")]
pub struct Missing(#[source] Option<crate::Interrupted>);

impl Missing {
    /// Why no attempt returned, where a limit or a cancelled scope ended the run first.
    #[must_use]
    pub const fn interrupted(&self) -> Option<crate::Interrupted> {
        self.0
    }
}

impl From<crate::Interrupted> for Missing {
    fn from(interrupted: crate::Interrupted) -> Self {
        Self(Some(interrupted))
    }
}
