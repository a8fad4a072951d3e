//! The program's code that a file names, and the one place that keeps names for good.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use retry_runtime::Retrying;

pub(super) type When<E> = Arc<dyn Fn(&E) -> bool + Send + Sync>;
pub(super) type Until<T> = Arc<dyn Fn(&T) -> bool + Send + Sync>;
pub(super) type RetryAfter<E> = Arc<dyn Fn(&E) -> Option<Duration> + Send + Sync>;
pub(super) type OnRetry<E> = Arc<dyn for<'e> Fn(Retrying<'e, E>) + Send + Sync>;

/// The hooks of one kind, each with the name that a file calls it by.
pub(super) type Named<H> = Vec<(String, H)>;

/// All hooks that a program supplies.
pub(super) struct Hooks<T, E> {
    pub(super) when: Named<When<E>>,
    pub(super) until: Named<Until<T>>,
    pub(super) retry_after: Named<RetryAfter<E>>,
    pub(super) on_retry: Named<OnRetry<E>>,
}

impl<T, E> Hooks<T, E> {
    pub(super) const fn none() -> Self {
        Self {
            when: Vec::new(),
            until: Vec::new(),
            retry_after: Vec::new(),
            on_retry: Vec::new(),
        }
    }
}

impl<T, E> Clone for Hooks<T, E> {
    fn clone(&self) -> Self {
        Self {
            when: self.when.clone(),
            until: self.until.clone(),
            retry_after: self.retry_after.clone(),
            on_retry: self.on_retry.clone(),
        }
    }
}

/// A name as files and programs compare it: without white space.
pub(super) fn compact(name: &str) -> String {
    name.split_whitespace().collect()
}

/// The one of that name.
pub(super) fn named<H: Clone>(all: &[(String, H)], name: &str) -> Option<H> {
    all.iter()
        .find(|(own, _)| own == name)
        .map(|(_, hook)| hook.clone())
}

/// A name for the life of the process, as observers and metrics take it. Equal names are kept once, so that loading a file
/// again keeps nothing new.
pub(super) fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    if let Some(kept) = names.get(name) {
        return kept;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(kept);
    kept
}
