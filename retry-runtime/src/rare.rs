//! Dropping what a run seldom has, out of line.
//!
//! A run's future is dropped by whoever awaits it, nearly always after it has ended, when nothing in it is left to drop.
//! Compilers put that drop in place only while it is small, and what makes it large is all that a run *might* hold where it
//! is dropped earlier: a `Sleep`, a place in a list of wakers, a charge. So each of these is emptied by a function of its
//! own, which can't unwind (there would have to be a way on for each of them where one did); a panic in the drop of a
//! tokio `Sleep` or of an executor's waker would end the process.

use core::mem::ManuallyDrop;
use core::pin::Pin;

use pin_project_lite::pin_project;

/// An option that is emptied like this when it is dropped.
#[derive(Debug)]
pub(crate) struct Seldom<T>(ManuallyDrop<Option<T>>);

impl<T> Seldom<T> {
    pub(crate) const fn new(held: Option<T>) -> Self {
        Self(ManuallyDrop::new(held))
    }

    /// What it holds.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut Option<T> {
        &mut self.0
    }

    /// Drops what it holds.
    #[inline]
    pub(crate) fn empty(&mut self) {
        // What is empty isn't written to.
        if self.0.is_some() {
            discard(self.0.take());
        }
    }
}

impl<T> Drop for Seldom<T> {
    #[inline]
    fn drop(&mut self) {
        self.empty();
    }
}

pin_project! {
    /// The same, of what mayn't be moved.
    #[derive(Debug)]
    pub(crate) struct Rare<T> {
        #[pin]
        slot: Option<T>,
    }

    impl<T> PinnedDrop for Rare<T> {
        #[inline]
        fn drop(this: Pin<&mut Self>) {
            let mut slot = this.slot();
            if slot.is_some() {
                discard_pinned(slot.as_mut());
                gone(slot.is_none());
            }
        }
    }
}

impl<T> Rare<T> {
    /// Nothing.
    pub(crate) const fn none() -> Self {
        Self { slot: None }
    }

    /// What there is.
    #[inline]
    pub(crate) const fn get(&self) -> Option<&T> {
        self.slot.as_ref()
    }

    /// The option.
    #[inline]
    pub(crate) fn slot(self: Pin<&mut Self>) -> Pin<&mut Option<T>> {
        self.project().slot
    }
}

/// Tells the compiler that nothing is left in a slot that has a drop of its own; it can't look into what has emptied it.
#[inline]
pub(crate) fn gone(gone: bool) {
    if !gone {
        std::process::abort();
    }
}

#[cold]
#[inline(never)]
#[allow(
    improper_ctypes_definitions,
    reason = "only Rust calls it; the calling convention is one that doesn't unwind"
)]
extern "C" fn discard<T>(held: Option<T>) {
    drop(held);
}

#[cold]
#[inline(never)]
#[allow(
    improper_ctypes_definitions,
    reason = "only Rust calls it; the calling convention is one that doesn't unwind"
)]
extern "C" fn discard_pinned<T>(mut slot: Pin<&mut Option<T>>) {
    slot.set(None);
}
