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

use core::borrow::Borrow;
use core::sync::atomic::AtomicU64;

use super::share::{FILLING, FIRST_FILLING, LAST_FILLING, Share};
use super::slot::Slots;
use super::tally::Own;
use super::terms::{Parts, Terms};
use super::word::{Handed, Word};

/// Whole units that are missing to a bucket's capacity, which its holder knows.
#[derive(Debug)]
pub(crate) struct Bucket<W = AtomicU64, F = W> {
    /// What is missing, and the marks of the slots that have a lease; see [`Terms::split`].
    pub(super) word: W,
    /// The number of its filling, from [`FIRST_FILLING`] on. Each payment reads it, so that it may have a cache line of its own.
    pub(super) filling: F,
}

/// On cache lines of its own. Two, since processors fetch them in pairs.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

impl<T> Borrow<T> for Apart<T> {
    #[inline]
    fn borrow(&self) -> &T {
        &self.0
    }
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

impl Bucket<AtomicU64, Apart<AtomicU64>> {
    /// One that many threads use.
    pub(super) const fn apart() -> Self {
        Self {
            word: AtomicU64::new(0),
            filling: Apart(AtomicU64::new(FIRST_FILLING)),
        }
    }
}

impl<W: Word, F: Borrow<W>> Bucket<W, F> {
    #[inline]
    pub(super) fn filling(&self) -> u64 {
        self.filling.borrow().load()
    }

    /// What is missing, leaving aside what leases hold.
    pub(crate) fn missing(&self, terms: &Terms) -> u64 {
        terms.split(self.word.load()).missing
    }

    /// What is left, in the bucket and in all leases. Where others pay at the same time, it is about what there is.
    pub(super) fn available<'a>(&self, terms: &Terms, of: impl Fn(usize) -> Option<Own<'a, W>>) -> u64
    where
        W: 'a,
    {
        let filling = self.filling();
        // Of one word, so that what is leased or handed back meanwhile isn't there twice.
        let Parts { missing, marks } = terms.split(self.word.load());
        let held: u64 = each(marks)
            .filter_map(of)
            .map(|own| own.share().held(filling, terms.lease()))
            .sum();
        (terms.capacity() - missing)
            .saturating_add(held)
            .min(terms.capacity())
    }

    /// Whether nothing is missing and nothing leased.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.word.load() == 0
    }

    /// Pays in, up to the capacity, and returns what found no room.
    pub(super) fn deposit(&self, units: u64, terms: &Terms, own: Option<Own<'_, W>>) -> u64 {
        match self.agree(terms, own, true, |missing, least| {
            Some(missing.saturating_sub(units).max(least))
        }) {
            Paid::Made { before, after } => units - (before - after),
            Paid::Refused => units,
        }
    }

    /// The same where this owner has no lease and gets none yet, and all finds room or nobody who leases
    /// could make some.
    #[inline]
    pub(super) fn deposit_alone(&self, units: u64, terms: &Terms, share: Share<'_, W>) -> Option<u64> {
        if share.is_due() {
            return None;
        }
        let mut word = self.word.load();
        loop {
            let Parts { missing, marks } = terms.split(word);
            let room = missing - terms.leased(marks);
            let paid = units.min(room);
            if paid < units && marks != 0 {
                return None;
            }
            if paid == 0 {
                return Some(units);
            }
            let missing = missing - paid;
            match self.word.replace(word, Terms::join(Parts { missing, marks })) {
                Ok(_) => {
                    share.wrote();
                    return Some(units - paid);
                }
                Err(changed) => word = changed,
            }
        }
    }

    /// Takes `units` if no more is missing then than may be.
    pub(super) fn withdraw(&self, units: u64, terms: &Terms, own: Option<Own<'_, W>>) -> bool {
        let paid = self.agree(terms, own, true, |missing, _| {
            missing.checked_add(units).filter(|after| *after <= terms.most())
        });
        paid != Paid::Refused
    }

    /// The same where it is told by a few instructions: this owner has no lease and gets none yet, or it has one that holds
    /// less, and the bucket doesn't have the rest.
    #[inline]
    pub(super) fn withdraw_alone(
        &self,
        units: u64,
        terms: &Terms,
        share: Share<'_, W>,
        slots: &Slots<W>,
    ) -> Option<bool> {
        let held = share.holds(self.filling());
        if held.is_none() && share.is_due() {
            return None;
        }
        let mut word = self.word.load();
        loop {
            let Parts { missing, marks } = terms.split(word);
            let after = (missing - held.unwrap_or(0)).checked_add(units);
            let Some(missing) = after.filter(|after| *after <= terms.most()) else {
                // Those that have ended may have left it.
                return (Self::left(word, terms, slots) == 0).then_some(false);
            };
            if held.is_some() {
                return None;
            }
            if units == 0 {
                return Some(true);
            }
            match self.word.replace(word, Terms::join(Parts { missing, marks })) {
                Ok(_) => {
                    share.wrote();
                    return Some(true);
                }
                Err(changed) => word = changed,
            }
        }
    }

    /// Takes what there is of `units`. An empty bucket is only read.
    pub(super) fn drain(&self, units: u64, terms: &Terms, own: Option<Own<'_, W>>) {
        if let Some(own) = own
            && units <= terms.lease()
            && own.share().draw(units, self.filling())
        {
            return;
        }
        self.agree(terms, own, true, |missing, _| {
            Some(missing.saturating_add(units).min(terms.capacity()))
        });
    }

    /// The slots that have a lease and no owner any more.
    #[inline]
    fn left(word: u64, terms: &Terms, slots: &Slots<W>) -> u64 {
        terms.split(word).marks & !slots.taken()
    }

    /// Hands a share back.
    pub(super) fn hand_back(&self, terms: &Terms, own: Own<'_, W>) {
        if own.share().has_lease() {
            self.agree(terms, Some(own), false, |missing, _| Some(missing));
        }
    }

    /// Makes one payment in the word: `pay` says what is missing afterwards, if it may be made, given what is missing
    /// before and the least that has to be because others have leased it.
    ///
    /// An own share is handed back before; its owner may have one afterwards, if it is to be `lent`. What would write
    /// nothing new isn't written.
    fn agree(
        &self,
        terms: &Terms,
        own: Option<Own<'_, W>>,
        lent: bool,
        pay: impl Fn(u64, u64) -> Option<u64>,
    ) -> Paid {
        let has = own.is_some_and(|own| own.share().has_lease());
        let lent = lent && own.is_some_and(|own| own.share().is_due());
        let own_mark = own.map_or(0, |own| 1 << own.slot());
        let mut word = self.word.load();
        loop {
            let filling = self.filling();
            let Parts { missing, marks } = terms.split(word);
            let before = missing - own.map_or(0, |own| own.share().held(filling, terms.lease()));
            let others = marks & !own_mark;
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
            if after == before && (held.is_some() || !has) {
                return made;
            }
            let agreed = Parts {
                missing: after + held.unwrap_or(0),
                marks: others | held.map_or(0, |_| own_mark),
            };
            match self.word.replace(word, Terms::join(agreed)) {
                Ok(_) => {
                    if let Some(own) = own {
                        own.share().agreed(held, filling);
                    }
                    return made;
                }
                Err(changed) => word = changed,
            }
        }
    }
}

impl<W: Handed, F: Borrow<W>> Bucket<W, F> {
    /// Fills it, and every share that is leased as well: owners learn of it when they next look.
    pub(super) fn fill(&self, terms: &Terms) {
        if self.filling() < LAST_FILLING {
            self.filling.borrow().add(FILLING);
        }
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
        of: impl Fn(usize) -> Option<Own<'a, W>>,
    ) -> bool
    where
        W: 'a,
    {
        let mut any = false;
        for slot in each(Self::left(self.word.load(), terms, slots)) {
            // Who takes the slot owns it, if only for this.
            if let Some(own) = of(slot)
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

/// As a budget asks: fast, else in full.
#[cfg(test)]
impl<W: Handed, F: Borrow<W>> Bucket<W, F> {
    pub(super) fn pays_in(&self, units: u64, terms: &Terms, own: Own<'_, W>) -> u64 {
        if own.share().pay(units, self.filling(), terms.lease()) {
            return 0;
        }
        self.deposit_alone(units, terms, own.share())
            .unwrap_or_else(|| self.deposit(units, terms, Some(own)))
    }

    pub(super) fn draws(&self, units: u64, terms: &Terms, own: Own<'_, W>, slots: &Slots<W>) -> bool {
        if own.share().draw(units, self.filling()) {
            return true;
        }
        self.withdraw_alone(units, terms, own.share(), slots)
            .unwrap_or_else(|| self.withdraw(units, terms, Some(own)))
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
