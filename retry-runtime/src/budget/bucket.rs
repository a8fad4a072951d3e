//! The arithmetic of a bucket: one atomic word, written only when its value changes, and shares of it that are leased.
//!
//! The word holds what is missing to a full bucket, so that a full one is told by a comparison with zero, which is what
//! most payments do and all. Everything that threads agree on is in that one word, and nothing else is published through
//! it, so that relaxed operations are enough: the modification order of a single atomic is total.
//!
//! A thread that pays and draws often leases a share: a part of the capacity, with some units in it. The whole part is
//! missing to the bucket as long as it is leased, so that what bucket and shares hold is never above the capacity; and the
//! units are its owner's alone, so that nothing is spent twice. Inside, the owner pays in and draws by plain loads and
//! stores, a tenth of what an atomic exchange costs a processor. What goes beyond is settled in one exchange with the word:
//! the share is handed back, the payment made, and a new share taken, so that for a thread that is alone the answers are
//! those of the bucket without leases.

use core::sync::atomic::AtomicU64;

use super::share::{FIRST_FILLING, Own, Share};
use super::slot::Slots;
use super::terms::{Parts, Terms};
use super::word::{Handed, Word};

/// Whole units that are missing to a bucket's capacity, which its holder knows.
#[derive(Debug)]
pub(crate) struct Bucket<W = AtomicU64> {
    /// What is missing, and the marks of the slots that have a lease; see [`Terms::split`].
    pub(super) word: W,
    /// How often it was filled, from [`FIRST_FILLING`] on.
    pub(super) filling: W,
}

/// What came of a payment that the word was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paid {
    /// All that could be. So much was missing before and after.
    Made {
        before: u64,
        after: u64,
    },
    Refused,
}

impl Bucket {
    pub(crate) const fn full() -> Self {
        Self {
            word: AtomicU64::new(0),
            filling: AtomicU64::new(FIRST_FILLING),
        }
    }
}

impl<W: Word> Bucket<W> {
    /// What is missing, leaving aside what leases hold.
    pub(crate) fn missing(&self, terms: &Terms) -> u64 {
        terms.split(self.word.load()).missing
    }

    /// The slots that have a lease, a bit each.
    fn marks(&self, terms: &Terms) -> u64 {
        terms.split(self.word.load()).marks
    }

    /// What leases hold.
    pub(super) fn held<'a>(&self, terms: &Terms, share: impl Fn(usize) -> Option<Own<'a, W>>) -> u64
    where
        W: 'a,
    {
        let filling = self.filling.load();
        each(self.marks(terms))
            .filter_map(share)
            .map(|own| own.share.held(filling, terms.lease()))
            .sum()
    }

    /// Whether nothing is missing and nothing leased.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.word.load() == 0
    }

    /// Whether the share may be used as it is.
    #[inline]
    fn is_current(&self, share: &Share<W>) -> bool {
        share.state.load() == self.filling.load()
    }

    /// Pays in, up to the capacity, and returns what found no room.
    #[inline]
    pub(super) fn deposit(&self, units: u64, terms: &Terms, own: Option<Own<'_, W>>) -> u64 {
        if let Some(own) = own
            && self.is_current(own.share)
        {
            let held = own.share.held.load().saturating_add(units);
            if held <= terms.lease() {
                own.share.held.store(held);
                return 0;
            }
        }
        self.deposit_shared(units, terms, own)
    }

    #[inline]
    fn deposit_shared(&self, units: u64, terms: &Terms, own: Option<Own<'_, W>>) -> u64 {
        let pay = |missing: u64, least: u64| Some(missing.saturating_sub(units).max(least));
        match self.exchange(terms, own, pay) {
            Paid::Made { before, after } => units - (before - after),
            Paid::Refused => units,
        }
    }

    /// Takes `units` if no more is missing then than may be.
    #[inline]
    pub(super) fn withdraw(&self, units: u64, terms: &Terms, own: Option<Own<'_, W>>) -> bool {
        let Some(most) = terms.most() else {
            return false;
        };
        if let Some(own) = own
            && self.is_current(own.share)
        {
            let held = own.share.held.load();
            let missing = terms.split(self.word.load()).missing;
            // What is held may be below the floor.
            if missing <= most && units <= held {
                own.share.held.store(held - units);
                return true;
            }
            if (missing - held).saturating_add(units) > most {
                return false;
            }
        }
        self.withdraw_shared(units, most, terms, own)
    }

    #[inline]
    fn withdraw_shared(&self, units: u64, most: u64, terms: &Terms, own: Option<Own<'_, W>>) -> bool {
        let pay = |missing: u64, _| missing.checked_add(units).filter(|after| *after <= most);
        self.exchange(terms, own, pay) != Paid::Refused
    }

    /// Takes what there is of `units`. An empty bucket is only read.
    pub(super) fn drain(&self, units: u64, terms: &Terms, own: Option<Own<'_, W>>) {
        if let Some(own) = own
            && self.is_current(own.share)
            && let Some(rest) = own.share.held.load().checked_sub(units)
        {
            own.share.held.store(rest);
            return;
        }
        self.exchange(terms, own, |missing, _| {
            Some(missing.saturating_add(units).min(terms.capacity()))
        });
    }

    /// Hands a share back.
    pub(super) fn hand_back(&self, terms: &Terms, own: Own<'_, W>) {
        if own.share.has_lease() {
            self.agree(terms, own, false, |missing, _| Some(missing));
        }
    }

    /// Makes one payment in the word: `pay` says what is missing afterwards, if it may be made, given what is missing
    /// before and the least that has to be because others have leased it. What would write nothing new isn't written.
    #[inline]
    fn exchange(
        &self,
        terms: &Terms,
        own: Option<Own<'_, W>>,
        pay: impl Fn(u64, u64) -> Option<u64>,
    ) -> Paid {
        if let Some(own) = own
            && own.share.is_due()
        {
            return self.agree(terms, own, true, pay);
        }
        let mut word = self.word.load();
        loop {
            let Parts {
                missing: before,
                marks,
            } = terms.split(word);
            let least = if marks == 0 { 0 } else { terms.leased(marks) };
            let Some(after) = pay(before, least) else {
                return Paid::Refused;
            };
            if after == before {
                return Paid::Made { before, after };
            }
            match self.word.replace(word, word - before + after) {
                Ok(_) => {
                    if let Some(own) = own {
                        own.share.wrote();
                    }
                    return Paid::Made { before, after };
                }
                Err(changed) => word = changed,
            }
        }
    }

    /// The same for an owner whose share is handed back before, and who may have one afterwards if it is to be `lent`.
    #[inline(never)]
    fn agree(
        &self,
        terms: &Terms,
        own: Own<'_, W>,
        lent: bool,
        pay: impl Fn(u64, u64) -> Option<u64>,
    ) -> Paid {
        let mut word = self.word.load();
        loop {
            let filling = self.filling.load();
            let Parts { missing, marks } = terms.split(word);
            let before = missing - own.share.held(filling, terms.lease());
            let others = marks & !(1 << own.slot);
            let leased = terms.leased(others);
            let Some(after) = pay(before, leased) else {
                return Paid::Refused;
            };
            let made = Paid::Made { before, after };
            let held = if lent {
                terms.first_held(after, leased)
            } else {
                None
            };
            // A lease of which there is no more use is handed back, even where nothing changes.
            if after == before && (held.is_some() || !own.share.has_lease()) {
                return made;
            }
            let agreed = match held {
                Some(held) => Parts {
                    missing: after + held,
                    marks: others | 1 << own.slot,
                },
                None => Parts {
                    missing: after,
                    marks: others,
                },
            };
            match self.word.replace(word, Terms::join(agreed)) {
                Ok(_) => {
                    own.share.agreed(held, filling);
                    return made;
                }
                Err(changed) => word = changed,
            }
        }
    }
}

impl<W: Handed> Bucket<W> {
    /// Fills it, and every share that is leased as well: owners learn of it when they next look.
    pub(super) fn fill(&self, terms: &Terms) {
        self.filling.add(1);
        let mut word = self.word.load();
        loop {
            let marks = terms.split(word).marks;
            let missing = terms.leased(marks);
            match self.word.replace(word, Terms::join(Parts { missing, marks })) {
                Ok(_) => return,
                Err(changed) => word = changed,
            }
        }
    }

    /// Hands back what threads that have ended had leased, and returns whether there was something.
    pub(super) fn reclaim<'a>(
        &self,
        terms: &Terms,
        slots: &Slots<W>,
        share: impl Fn(usize) -> Option<Own<'a, W>>,
    ) -> bool
    where
        W: 'a,
    {
        let mut any = false;
        for slot in each(self.marks(terms) & !slots.taken()) {
            // Who takes the slot owns it, if only for this.
            if let Some(own) = share(slot)
                && slots.claim(slot)
            {
                self.hand_back(terms, own);
                slots.give_back(slot);
                any = true;
            }
        }
        any
    }
}

/// The bits that are set.
fn each(mut bits: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let first = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(first)
    })
}
