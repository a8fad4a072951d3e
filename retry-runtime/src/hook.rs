//! The user's hooks, called where their argument's type is known, so that a closure needs no annotation.

use core::future::Future;
use core::time::Duration;

use crate::hint::RetryAfter;
use crate::retry::{Retrying, Verdict};

/// `when = …`
#[inline]
pub fn when<'e, E, V: Verdict>(error: &'e E, judge: impl FnOnce(&'e E) -> V) -> bool {
    judge(error).again()
}

/// `when = async |e| …`
#[inline]
pub fn when_async<'e, E, F>(error: &'e E, judge: impl FnOnce(&'e E) -> F) -> F
where
    F: Future<Output: Verdict>,
{
    judge(error)
}

/// `until = …`
#[inline]
pub fn until<'v, T>(value: &'v T, there: impl FnOnce(&'v T) -> bool) -> bool {
    there(value)
}

/// `retry_after = …`
#[inline]
pub fn retry_after<'e, E, H: RetryAfter>(error: &'e E, hint: impl FnOnce(&'e E) -> H) -> Option<Duration> {
    hint(error).wait()
}

/// `on_retry = …`
#[inline]
pub fn on_retry<'e, E>(told: Retrying<'e, E>, hook: impl FnOnce(Retrying<'e, E>)) {
    hook(told);
}

/// `on_retry = async |retry| …`
#[inline]
pub fn on_retry_async<'e, E, F>(told: Retrying<'e, E>, hook: impl FnOnce(Retrying<'e, E>) -> F) -> F
where
    F: Future<Output = ()>,
{
    hook(told)
}

/// An operation given as an expression, evaluated once.
#[inline]
pub const fn operation<F, R>(operation: F) -> F
where
    F: FnMut(crate::Attempt) -> R,
{
    operation
}

/// An operation whose error type is known, so that `?` works in it.
#[inline]
pub const fn fails_with<E, T, F>(operation: F) -> F
where
    F: Future<Output = Result<T, E>>,
{
    operation
}

/// The earlier of two times.
#[must_use]
#[inline]
pub const fn earlier(one: u64, other: u64) -> u64 {
    if one < other { one } else { other }
}
