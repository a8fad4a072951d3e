//! The arithmetic of a bucket: one atomic word, written only when its value changes.
//!
//! The word holds what is missing to a full bucket, so that a full one is told by a comparison with zero, which is what
//! most payments do and all. Everything about a bucket is in that one word, and nothing else is published through it, so
//! that relaxed operations are enough: the modification order of a single atomic is total.

use core::sync::atomic::AtomicU64;

use super::word::Word;

/// Whole units that are missing to a bucket's capacity, which its holder knows.
#[derive(Debug)]
pub(crate) struct Bucket<W = AtomicU64>(pub(super) W);

impl Bucket {
    pub(crate) const fn full() -> Self {
        Self(AtomicU64::new(0))
    }
}

impl<W: Word> Bucket<W> {
    pub(crate) fn missing(&self) -> u64 {
        self.0.load()
    }

    pub(crate) fn fill(&self) {
        self.0.store(0);
    }

    /// Pays in, up to the capacity. A full bucket is only read.
    #[inline]
    pub(crate) fn deposit(&self, units: u64) {
        let missing = self.0.load();
        if missing > 0 {
            self.refill(missing, units);
        }
    }

    /// Out of line, so that a full bucket costs a comparison, and not even a look at what is paid.
    #[inline(never)]
    fn refill(&self, mut missing: u64, units: u64) {
        if units == 0 {
            return;
        }
        loop {
            match self.0.replace(missing, missing.saturating_sub(units)) {
                Ok(_) | Err(0) => return,
                Err(changed) => missing = changed,
            }
        }
    }

    /// Takes `units` if at most `most` are missing then.
    #[inline]
    pub(crate) fn withdraw(&self, units: u64, most: u64) -> bool {
        let mut missing = self.0.load();
        loop {
            let Some(after) = missing.checked_add(units).filter(|after| *after <= most) else {
                return false;
            };
            if units == 0 {
                return true;
            }
            match self.0.replace(missing, after) {
                Ok(_) => return true,
                Err(changed) => missing = changed,
            }
        }
    }

    /// Takes what there is of `units`. An empty bucket is only read.
    #[inline]
    pub(crate) fn drain(&self, units: u64, capacity: u64) {
        let mut missing = self.0.load();
        while missing < capacity && units > 0 {
            let after = missing.saturating_add(units).min(capacity);
            match self.0.replace(missing, after) {
                Ok(_) => return,
                Err(changed) => missing = changed,
            }
        }
    }
}
