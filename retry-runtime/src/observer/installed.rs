//! Observers: one for the process, and those of scopes.

use std::sync::OnceLock;

use super::{Event, Observer};
use crate::scope;

static INSTALLED: OnceLock<Box<dyn Observer>> = OnceLock::new();

/// There was an observer already; it stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an observer is installed already")]
pub struct AlreadyInstalled;

/// Installs the process's observer, for good.
///
/// A library leaves this to the program; for what runs in one place there is [`Scope::observed`](crate::Scope::observed).
///
/// # Errors
///
/// If there is one already.
pub fn install(observer: impl Observer + 'static) -> Result<(), AlreadyInstalled> {
    INSTALLED.set(Box::new(observer)).map_err(|_| AlreadyInstalled)
}

#[inline]
pub(super) fn somebody() -> bool {
    INSTALLED.get().is_some() || scope::frame().shared()
}

#[cold]
pub(super) fn tell(policy: &'static str, event: &Event<'_>) {
    if let Some(observer) = INSTALLED.get() {
        observer.event(policy, event);
    }
    if let Some(context) = scope::context() {
        for observer in context.observers() {
            observer.event(policy, event);
        }
    }
}
