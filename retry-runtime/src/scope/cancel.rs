//! Cancellation: a flag, and who is to be woken when it is raised.
//!
//! A wait may sit below combinators that poll it only when its own waker was called (`FuturesUnordered`), so a flag that
//! is looked at when the task is polled isn't enough: waits register here. Scopes inside are registered as children and
//! are cancelled with it.

use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::rare::Seldom;

#[derive(Debug, Default)]
pub(super) struct Cancel {
    cancelled: AtomicBool,
    waiting: Mutex<Waiting>,
    /// Where this is registered, to be taken out again.
    parents: Vec<(Arc<Cancel>, usize)>,
}

#[derive(Debug, Default)]
struct Waiting {
    places: Vec<Option<Waiter>>,
    free: Vec<usize>,
}

#[derive(Debug)]
enum Waiter {
    Task(Waker),
    Child(Weak<Cancel>),
}

impl Waiting {
    fn add(&mut self, waiter: Waiter) -> usize {
        if let Some(place) = self.free.pop() {
            self.places[place] = Some(waiter);
            place
        } else {
            self.places.push(Some(waiter));
            self.places.len() - 1
        }
    }

    fn remove(&mut self, place: usize) -> Option<Waiter> {
        // After a cancellation the places are gone.
        let waiter = self.places.get_mut(place)?.take();
        self.free.push(place);
        waiter
    }
}

impl Cancel {
    /// One that is cancelled when any of `parents` is.
    pub(super) fn below(parents: impl IntoIterator<Item = Arc<Self>>) -> Arc<Self> {
        let child = Arc::new_cyclic(|this| {
            let mut cancelled = false;
            let parents = parents
                .into_iter()
                .filter_map(|parent| {
                    let place = parent.register(Waiter::Child(this.clone()));
                    cancelled |= place.is_none();
                    place.map(|place| (parent, place))
                })
                .collect();
            Self {
                cancelled: AtomicBool::new(cancelled),
                waiting: Mutex::default(),
                parents,
            }
        });
        // A parent that was cancelled while the child was being made could not reach it yet. Under its lock, either that
        // is seen here, or the parent comes later and finds the child whole.
        let missed = child.parents.iter().any(|(parent, _)| {
            let _waiting = parent.lock();
            parent.is_cancelled()
        });
        if missed {
            child.cancel();
        }
        child
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Returns `false` if it was cancelled already.
    pub(super) fn cancel(&self) -> bool {
        let waiting = {
            let mut waiting = self.lock();
            if self.cancelled.swap(true, Ordering::AcqRel) {
                return false;
            }
            std::mem::take(&mut *waiting)
        };
        // Outside of the lock, since a waker may do anything.
        for waiter in waiting.places.into_iter().flatten() {
            match waiter {
                Waiter::Task(waker) => waker.wake(),
                Waiter::Child(child) => {
                    if let Some(child) = child.upgrade() {
                        child.cancel();
                    }
                }
            }
        }
        true
    }

    /// `None` if it is cancelled already.
    fn register(&self, waiter: Waiter) -> Option<usize> {
        let mut waiting = self.lock();
        (!self.is_cancelled()).then(|| waiting.add(waiter))
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // What is inside is whole between any two statements.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        for (parent, place) in self.parents.drain(..) {
            // Bound first: dropping what is taken out must not happen under the lock.
            let _child = parent.lock().remove(place);
        }
    }
}

/// Completes when a scope is cancelled.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub(super) struct Cancelled {
    cancel: Arc<Cancel>,
    place: Option<usize>,
}

impl Cancelled {
    pub(super) const fn new(cancel: Arc<Cancel>) -> Self {
        Self { cancel, place: None }
    }
}

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        if this.cancel.is_cancelled() {
            return Poll::Ready(());
        }
        let mut waiting = this.cancel.lock();
        // Again under the lock: a cancellation in between has already taken the wakers it will wake.
        if this.cancel.is_cancelled() {
            return Poll::Ready(());
        }
        let registered = this.place.and_then(|place| waiting.places[place].as_mut());
        let replaced = match registered {
            Some(Waiter::Task(waker)) if waker.will_wake(task.waker()) => None,
            Some(waiter) => Some(core::mem::replace(waiter, Waiter::Task(task.waker().clone()))),
            None => {
                this.place = Some(waiting.add(Waiter::Task(task.waker().clone())));
                None
            }
        };
        drop(waiting);
        drop(replaced);
        Poll::Pending
    }
}

/// What a wait watches beside its timer: the scope's cancellation, where there can be one.
///
/// The scope is asked when the wait is first polled, which is when it begins: what makes a wait is part of each run's code,
/// and what polls it isn't.
#[derive(Debug)]
pub struct Watched(Seldom<Option<Cancelled>>);

impl Watched {
    /// Of a wait that hasn't begun.
    pub(crate) const fn new() -> Self {
        Self(Seldom::new(None))
    }

    /// Whether the wait has begun.
    #[inline]
    pub(crate) fn has_begun(&mut self) -> bool {
        self.0.get_mut().is_some()
    }

    /// Whether it has come; if not, the task is woken when it comes.
    pub(crate) fn is_cancelled(&mut self, task: &mut Context<'_>) -> bool {
        self.0
            .get_mut()
            .get_or_insert_with(super::cancelled)
            .as_mut()
            .is_some_and(|cancelled| Pin::new(cancelled).poll(task).is_ready())
    }

    /// No longer watches.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.0.empty();
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            let _waker = self.cancel.lock().remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use core::pin::pin;

    use super::*;

    fn places(cancel: &Cancel) -> (usize, usize) {
        let waiting = cancel.lock();
        (waiting.places.len(), waiting.free.len())
    }

    #[test]
    fn waits_and_children_that_are_gone_leave_their_places_to_the_next() {
        let cancel = Arc::new(Cancel::default());
        for _ in 0..100 {
            let mut wait = pin!(Cancelled::new(Arc::clone(&cancel)));
            assert!(
                wait.as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()))
                    .is_pending()
            );
            let _child = Cancel::below([Arc::clone(&cancel)]);
            assert_eq!(places(&cancel), (2, 0));
        }
        assert_eq!(places(&cancel), (2, 2));
    }

    #[test]
    fn a_wait_that_is_polled_again_keeps_its_place() {
        let cancel = Arc::new(Cancel::default());
        let mut wait = pin!(Cancelled::new(Arc::clone(&cancel)));
        for _ in 0..3 {
            assert!(
                wait.as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()))
                    .is_pending()
            );
        }
        assert_eq!(places(&cancel), (1, 0));
    }

    #[test]
    fn a_child_of_what_is_cancelled_is_born_cancelled() {
        let cancel = Arc::new(Cancel::default());
        assert!(cancel.cancel());
        assert!(!cancel.cancel(), "once is enough");
        assert!(Cancel::below([Arc::default(), cancel]).is_cancelled());
    }
}
