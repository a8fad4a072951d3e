//! The waits for a scope's `tokio_util` tokens; without that feature there are none, and this is nothing.

use core::task::Context as Task;

use super::Context;

#[cfg(feature = "tokio-util")]
type Wait = core::pin::Pin<Box<tokio_util::sync::WaitForCancellationFutureOwned>>;

/// One wait for each token of a scope. Each task that a scope runs in waits for itself, so that a spawned one is still
/// woken when the task that spawned it has ended.
pub(super) struct Tokens {
    #[cfg(feature = "tokio-util")]
    waits: Vec<Wait>,
}

impl Tokens {
    pub(super) const NONE: Self = Self {
        #[cfg(feature = "tokio-util")]
        waits: Vec::new(),
    };

    #[cfg(feature = "tokio-util")]
    pub(super) fn of(context: Option<&Context>) -> Self {
        let tokens = context.map(Context::tokens).unwrap_or_default();
        Self {
            waits: tokens
                .iter()
                .map(|token| Box::pin(token.clone().cancelled_owned()))
                .collect(),
        }
    }

    #[cfg(not(feature = "tokio-util"))]
    pub(super) const fn of(_: Option<&Context>) -> Self {
        Self::NONE
    }

    /// Whether one of them is cancelled; told once.
    #[cfg(feature = "tokio-util")]
    pub(super) fn poll(&mut self, task: &mut Task<'_>) -> bool {
        let cancelled = self
            .waits
            .iter_mut()
            .any(|wait| wait.as_mut().poll(task).is_ready());
        if cancelled {
            self.waits.clear();
        }
        cancelled
    }

    #[cfg(not(feature = "tokio-util"))]
    #[expect(clippy::unused_self, reason = "the same call with and without the feature")]
    pub(super) const fn poll(&mut self, _: &mut Task<'_>) -> bool {
        false
    }
}
