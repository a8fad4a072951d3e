//! The arithmetic of a bucket: one atomic word, written only when its value changes.
//!
//! Everything about a bucket is in that one word, and nothing else is published through it, so that relaxed operations
//! are enough: the modification order of a single atomic is total.

use core::sync::atomic::AtomicU64;

use super::word::Word;

/// A number of whole units between zero and a capacity.
#[derive(Debug)]
pub(crate) struct Bucket<W = AtomicU64>(pub(super) W);

impl Bucket {
    pub(crate) const fn full(units: u64) -> Self {
        Self(AtomicU64::new(units))
    }
}

impl<W: Word> Bucket<W> {
    pub(crate) fn units(&self) -> u64 {
        self.0.load()
    }

    pub(crate) fn fill(&self, capacity: u64) {
        self.0.store(capacity);
    }

    /// Pays in, up to the capacity. A full bucket is only read.
    #[inline]
    pub(crate) fn deposit(&self, units: u64, capacity: u64) {
        let mut now = self.0.load();
        while now < capacity && units > 0 {
            let after = now.saturating_add(units).min(capacity);
            match self.0.replace(now, after) {
                Ok(_) => return,
                Err(changed) => now = changed,
            }
        }
    }

    /// Takes `units` if at least `floor` is left then.
    #[inline]
    pub(crate) fn withdraw(&self, units: u64, floor: u64) -> bool {
        let mut now = self.0.load();
        loop {
            let Some(after) = now.checked_sub(units).filter(|after| *after >= floor) else {
                return false;
            };
            if units == 0 {
                return true;
            }
            match self.0.replace(now, after) {
                Ok(_) => return true,
                Err(changed) => now = changed,
            }
        }
    }

    /// Takes what there is of `units`. An empty bucket is only read.
    #[inline]
    pub(crate) fn drain(&self, units: u64) {
        let mut now = self.0.load();
        while now > 0 && units > 0 {
            match self.0.replace(now, now.saturating_sub(units)) {
                Ok(_) => return,
                Err(changed) => now = changed,
            }
        }
    }
}
