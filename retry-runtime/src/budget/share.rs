//! A slot's share of a bucket: units and room for units that its owner has leased, and changes alone.

use core::sync::atomic::AtomicU64;

use super::word::Word;

/// Written by the slot's owner only, by plain stores.
#[derive(Debug)]
pub(super) struct Share<W = AtomicU64> {
    /// Which filling of the bucket the lease is of. Below [`FIRST_FILLING`] there is none, and this is how often the owner
    /// wrote the bucket's word since it had one.
    pub(super) state: W,
    /// The units that it holds, at most what a lease is for.
    pub(super) held: W,
}

/// So often a thread writes the bucket's word before it gets a lease, and fillings are counted from here: a few retries now
/// and then, or a test, leave nothing with a thread that then rests.
pub(super) const FIRST_FILLING: u64 = 64;

impl Share {
    pub(super) const fn none() -> Self {
        Self {
            state: AtomicU64::new(0),
            held: AtomicU64::new(0),
        }
    }
}

impl<W: Word> Share<W> {
    pub(super) fn has_lease(&self) -> bool {
        self.state.load() >= FIRST_FILLING
    }

    /// Whether the next agreement is about a lease.
    pub(super) fn is_due(&self) -> bool {
        self.state.load() >= FIRST_FILLING - 1
    }

    /// What it holds in this filling; a lease of an earlier one was filled with it.
    pub(super) fn held(&self, filling: u64, lease: u64) -> u64 {
        match self.state.load() {
            ..FIRST_FILLING => 0,
            its if its == filling => self.held.load(),
            _ => lease,
        }
    }

    /// The bucket's word was written, and holds what was agreed on.
    pub(super) fn agreed(&self, held: Option<u64>, filling: u64) {
        let state = match held {
            Some(held) => {
                self.held.store(held);
                filling
            }
            None if self.is_due() => 0,
            None => self.state.load() + 1,
        };
        self.state.store(state);
    }
}
