//! A slot's share of a bucket: units and room for units that its owner has leased, and changes alone.

use super::word::Word;

/// The distance of two fillings' numbers: more than a lease ever holds, and than is ever taken off one at once.
pub(super) const FILLING: u64 = 1 << 38;
/// Where a share without a lease begins and counts from: what is taken off it is still a number, and of no filling.
pub(super) const IDLE: u64 = FILLING;
/// Fillings of a bucket are numbered from here on.
pub(super) const FIRST_FILLING: u64 = 2 * FILLING;
/// And up to here, if somebody ever comes so far: later ones fill the bucket and no leases. Above it there is room for as
/// many numbers as threads can count at the same time.
pub(super) const LAST_FILLING: u64 = 1 << 63;

/// So often a thread writes the bucket's word before it gets a lease: a few retries now and then, or a test, leave nothing
/// with a thread that then rests.
pub(super) const WRITES: u64 = 64;

/// One word, so that a payment inside a lease reads, compares and writes once.
///
/// With a lease it is the number of the bucket's filling that the lease is of, and on top the units that it holds, at most
/// what a lease is for. Below [`FIRST_FILLING`] there is none, and it counts how often the owner wrote the bucket's word
/// since it had one.
///
/// Written by the slot's owner only, by plain stores.
#[derive(Debug)]
pub(super) struct Share<'a, W>(pub(super) &'a W);

impl<W> Clone for Share<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Share<'_, W> {}

impl<W: Word> Share<'_, W> {
    pub(super) fn has_lease(self) -> bool {
        self.0.load() >= FIRST_FILLING
    }

    /// Whether the next agreement is about a lease.
    #[inline]
    pub(super) fn is_due(self) -> bool {
        self.0.load() >= IDLE + WRITES - 1
    }

    /// Takes units that a lease of this filling holds; `false` where there is none, or it holds less.
    #[inline]
    pub(super) fn draw(self, units: u64, filling: u64) -> bool {
        debug_assert!(units <= IDLE);
        let rest = self.0.load() - units;
        // What is of an earlier filling is below this one in any case.
        let enough = rest >= filling;
        if enough {
            self.0.store(rest);
        }
        enough
    }

    /// Pays into a lease of this filling that is for so many units; `false` where there is none, or no room.
    #[inline]
    pub(super) fn pay(self, units: u64, filling: u64, lease: u64) -> bool {
        debug_assert!(units <= lease);
        let more = self.0.load() + units;
        // What is below the filling is far above every lease here.
        let fits = more.wrapping_sub(filling) <= lease;
        if fits {
            self.0.store(more);
        }
        fits
    }

    /// What a lease holds, if there is one of this filling.
    #[inline]
    pub(super) fn holds(self, filling: u64) -> Option<u64> {
        self.0.load().checked_sub(filling)
    }

    /// What it holds in this filling; a lease of an earlier one was filled with it.
    pub(super) fn held(self, filling: u64, lease: u64) -> u64 {
        match self.0.load() {
            ..FIRST_FILLING => 0,
            // Who isn't the owner may know of an older filling.
            its => its.checked_sub(filling).unwrap_or(lease).min(lease),
        }
    }

    /// The bucket's word was written, without a lease before and after.
    #[inline]
    pub(super) fn wrote(self) {
        self.0.store(self.0.load() + 1);
    }

    /// The bucket's word was written, and holds what was agreed on.
    pub(super) fn agreed(self, held: Option<u64>, filling: u64) {
        match held {
            Some(held) => self.0.store(filling + held),
            None if self.is_due() => self.0.store(IDLE),
            None => self.wrote(),
        }
    }
}
