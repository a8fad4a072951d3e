//! Which stripe of every budget a thread writes.
//!
//! A thread that counts takes a slot and keeps it until it ends. While it has one, nobody else writes the stripes of that
//! slot, so that counting is a plain addition; an atomic one costs a processor about as much as all the rest of a payment.
//! Threads that find no free slot share a few, with atomic additions, and lease nothing.

use core::cell::Cell;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::word::{Handed, Word};

/// Slots with one owner each: as many as most processes have threads that run futures.
pub(super) const OWNED: usize = 24;
/// Slots that all other threads share.
pub(super) const SHARED: usize = 8;

/// Words of a stripe, which is 128 bytes.
pub(super) const WORDS: usize = 16;

/// The owned slots that are taken, a bit each.
#[derive(Debug)]
pub(super) struct Slots<W = AtomicU64>(pub(super) W);

impl<W: Word> Slots<W> {
    /// The slots that somebody owns, a bit each.
    #[inline]
    pub(super) fn taken(&self) -> u64 {
        self.0.load()
    }
}

impl<W: Handed> Slots<W> {
    /// Takes a free slot. What its last owner wrote is seen.
    pub(super) fn take(&self) -> Option<usize> {
        loop {
            let free = self.0.load().trailing_ones() as usize;
            if free >= OWNED {
                return None;
            }
            if self.claim(free) {
                return Some(free);
            }
        }
    }

    /// Takes this slot, if it is free.
    pub(super) fn claim(&self, slot: usize) -> bool {
        let bit = 1 << slot;
        self.0.set(bit) & bit == 0
    }

    /// Lets another thread have the slot, and see what was written.
    pub(super) fn give_back(&self, slot: usize) {
        self.0.clear(1 << slot);
    }
}

pub(super) static SLOTS: Slots = Slots(AtomicU64::new(0));

const NONE: usize = usize::MAX;

thread_local! {
    /// The first word of the stripe of this thread's slot: below `OWNED` its own, above a shared one; `NONE` before it
    /// first counts. Plain data, so that it can be read at any time, also while the thread is torn down.
    static FIRST: Cell<usize> = const { Cell::new(NONE) };
    /// Gives the thread's slot back at its end.
    static LEASE: Lease = const { Lease };
}

struct Lease;

impl Drop for Lease {
    fn drop(&mut self) {
        // What is dropped after this counts on a shared slot.
        let slot = FIRST.replace(shared() * WORDS) / WORDS;
        if slot < OWNED {
            SLOTS.give_back(slot);
        }
    }
}

/// The first word of this thread's stripe, if it owns a slot; otherwise it is beyond those that are owned.
#[inline]
pub(super) fn first_word() -> usize {
    FIRST.get()
}

/// The slot of this thread where [`first_word`] names none: one that it takes now and owns, or a shared one from `OWNED` on.
#[cold]
pub(super) fn other() -> usize {
    if FIRST.get() == NONE {
        // Without a lease, nobody would give it back: this thread is ending.
        let taken = LEASE.try_with(|_| SLOTS.take()).ok().flatten();
        FIRST.set(taken.unwrap_or_else(shared) * WORDS);
    }
    FIRST.get() / WORDS
}

fn shared() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    OWNED + NEXT.fetch_add(1, Relaxed) % SHARED
}
