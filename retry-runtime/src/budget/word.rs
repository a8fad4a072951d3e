//! What budgets need of an atomic integer. Generic over it, so that loom checks the code of the other rooms itself and not
//! a copy.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// An atomic integer. Relaxed where nothing is said.
pub(crate) trait Word {
    fn load(&self) -> u64;
    fn store(&self, value: u64);
    /// Weak: may fail without a reason.
    fn replace(&self, current: u64, new: u64) -> Result<u64, u64>;
}

/// One that threads hand to each other.
pub(crate) trait Handed: Word {
    fn add(&self, more: u64);
    fn load_acquire(&self) -> u64;
    fn store_release(&self, value: u64);
    /// Sets bits and returns what was there; acquires.
    fn set(&self, bits: u64) -> u64;
    /// Clears bits; releases.
    fn clear(&self, bits: u64);
}

macro_rules! word {
    ($atomic:ty) => {
        impl Word for $atomic {
            #[inline]
            fn load(&self) -> u64 {
                self.load(Relaxed)
            }

            #[inline]
            fn store(&self, value: u64) {
                self.store(value, Relaxed);
            }

            #[inline]
            fn replace(&self, current: u64, new: u64) -> Result<u64, u64> {
                self.compare_exchange_weak(current, new, Relaxed, Relaxed)
            }
        }

        impl Handed for $atomic {
            #[inline]
            fn add(&self, more: u64) {
                self.fetch_add(more, Relaxed);
            }

            fn load_acquire(&self) -> u64 {
                self.load(Acquire)
            }

            fn store_release(&self, value: u64) {
                self.store(value, Release);
            }

            fn set(&self, bits: u64) -> u64 {
                self.fetch_or(bits, Acquire)
            }

            fn clear(&self, bits: u64) {
                self.fetch_and(!bits, Release);
            }
        }
    };
}

word!(AtomicU64);
#[cfg(test)]
word!(loom::sync::atomic::AtomicU64);
