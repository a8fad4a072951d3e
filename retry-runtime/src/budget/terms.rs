//! What a bucket's word has to know of its scheme, worked out once.

use super::Repeat;
use super::scheme::Scheme;
use super::share;
use super::slot::OWNED;
use crate::end::End;

/// Bits of a bucket's word that hold units where slots may have leases; the marks of the slots lie above.
const UNITS: u32 = 40;
const UNITS_ONLY: u64 = (1 << UNITS) - 1;
const _: () = assert!(OWNED <= 24, "a mark for each");

/// All leases together are at most this part of the capacity, where that is enough for two.
const LEASED: u64 = 8;
/// Elsewhere there are two, and together they are at most this part of it.
const TWO_LEASED: u64 = 5;
// An end and a repeat are paid for at once, and neither costs more than a lease is for.
const _: () = assert!((1 << UNITS) / TWO_LEASED <= share::FILLING);

/// The bounds of one bucket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    /// The most that can be missing.
    capacity: u64,
    /// The most that may be missing after a withdrawal.
    most: u64,
    /// What requests and successes pay in, as [`Deposit`] counts them.
    deposits: [u64; 2],
    /// What repeats cost, as [`Repeat`] counts them.
    costs: [u64; 3],
    /// What ends cost, as [`End`] counts them.
    penalties: [u64; 5],
    inside: Inside,
    /// Whether a success is only counted: it pays nothing in and gives nothing back.
    counts_successes: bool,
    /// What a lease is for, in units; zero where there are none.
    lease: u64,
    /// What all leases together are for at most.
    leased: u64,
    /// The bits of the word that hold units: all where there are no leases.
    units: u64,
}

/// What is paid inside leases: nothing where there are none, for a share without a lease can't tell what is too much for it.
#[derive(Debug, Clone, Copy)]
struct Inside {
    deposits: [u64; 2],
    costs: [u64; 3],
    /// What a try costs that ended and is tried again, as [`Retried`] counts them.
    retried: [u64; 2],
}

/// What pays in.
#[derive(Debug, Clone, Copy)]
pub(super) enum Deposit {
    Request,
    Success,
}

/// How a try ended that is tried again, where one payment serves for both.
#[derive(Debug, Clone, Copy)]
pub(super) enum Retried {
    Failure,
    TimedOut,
}

impl Retried {
    #[inline]
    pub(super) const fn of(end: End, repeat: Repeat) -> Option<Self> {
        match (end, repeat) {
            (End::Failure, Repeat::Retry) => Some(Self::Failure),
            (End::TimedOut, Repeat::TimedOut) => Some(Self::TimedOut),
            _ => None,
        }
    }
}

impl Inside {
    const NOTHING: Self = Self {
        deposits: [0; 2],
        costs: [0; 3],
        retried: [0; 2],
    };

    const fn new(deposits: [u64; 2], costs: [u64; 3], penalties: &[u64; 5]) -> Self {
        Self {
            deposits,
            costs,
            retried: [
                penalties[End::Failure as usize] + costs[Repeat::Retry as usize],
                penalties[End::TimedOut as usize] + costs[Repeat::TimedOut as usize],
            ],
        }
    }
}

/// A bucket's word, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    /// The units that the bucket misses; what leases hold is missing to it.
    pub(super) missing: u64,
    /// The slots with a lease, a bit each.
    pub(super) marks: u64,
}

impl Terms {
    /// Those of a bucket without leases, out of which everything may be taken.
    pub(crate) const fn alone(capacity: u64) -> Self {
        Self {
            capacity,
            most: capacity,
            deposits: [0; 2],
            costs: [1; 3],
            penalties: [0; 5],
            inside: Inside::NOTHING,
            counts_successes: true,
            lease: 0,
            leased: 0,
            units: u64::MAX,
        }
    }

    /// Those of a bucket with a reserve.
    #[cfg(test)]
    pub(super) const fn reserving(capacity: u64, floor: u64) -> Self {
        Self {
            most: capacity - floor,
            ..Self::alone(capacity)
        }
    }

    #[cfg(test)]
    pub(super) const fn leasing(capacity: u64, lease: u64) -> Self {
        Self {
            inside: Inside::new([0; 2], [1; 3], &[0; 5]),
            lease,
            leased: capacity / LEASED,
            units: UNITS_ONLY,
            ..Self::alone(capacity)
        }
    }

    pub(super) const fn of(scheme: &Scheme) -> Self {
        let Scheme {
            capacity,
            per_request,
            per_success,
            retry,
            timed_out,
            hedge,
            floor,
            lends,
            penalties,
        } = *scheme;
        let (most, costs) = match capacity.checked_sub(floor) {
            Some(most) => (most, [retry, timed_out, hedge]),
            // A reserve that is never there: nobody can pay so much, for the capacity is less.
            None => (0, [u64::MAX; 3]),
        };
        let deposits = [per_request, per_success];
        let penalties = [
            0,
            penalties.failure,
            penalties.timed_out,
            penalties.throttled,
            penalties.cancelled,
        ];
        // Where there is a floor, an owner can't tell alone whether what it holds lies above.
        let (lease, leased) = match floor {
            0 => leases(capacity, &deposits, &costs, &penalties),
            _ => (0, 0),
        };
        Self {
            capacity,
            most,
            deposits,
            costs,
            penalties,
            inside: match lease {
                0 => Inside::NOTHING,
                _ => Inside::new(deposits, costs, &penalties),
            },
            counts_successes: per_success == 0 && !lends,
            lease,
            leased,
            units: if lease == 0 { u64::MAX } else { UNITS_ONLY },
        }
    }

    #[inline]
    pub(super) const fn capacity(&self) -> u64 {
        self.capacity
    }

    #[inline]
    pub(super) const fn most(&self) -> u64 {
        self.most
    }

    #[inline]
    pub(super) const fn deposit(&self, deposit: Deposit) -> u64 {
        self.deposits[deposit as usize]
    }

    #[inline]
    pub(super) const fn cost(&self, repeat: Repeat) -> u64 {
        self.costs[repeat as usize]
    }

    #[inline]
    pub(super) const fn penalty(&self, end: End) -> u64 {
        self.penalties[end as usize]
    }

    #[inline]
    pub(super) const fn deposit_inside(&self, deposit: Deposit) -> u64 {
        self.inside.deposits[deposit as usize]
    }

    #[inline]
    pub(super) const fn cost_inside(&self, repeat: Repeat) -> u64 {
        self.inside.costs[repeat as usize]
    }

    #[inline]
    pub(super) const fn retried_inside(&self, retried: Retried) -> u64 {
        self.inside.retried[retried as usize]
    }

    #[inline]
    pub(super) const fn counts_successes(&self) -> bool {
        self.counts_successes
    }

    #[inline]
    pub(super) const fn lease(&self) -> u64 {
        self.lease
    }

    #[inline]
    pub(super) const fn split(&self, word: u64) -> Parts {
        Parts {
            missing: word & self.units,
            marks: (word & !self.units) >> UNITS,
        }
    }

    #[inline]
    pub(super) const fn join(parts: Parts) -> u64 {
        parts.missing | parts.marks << UNITS
    }

    /// What the leases of these slots are for together; as much is missing to the bucket at least.
    #[inline]
    pub(super) const fn leased(&self, marks: u64) -> u64 {
        marks.count_ones() as u64 * self.lease
    }

    /// What a slot that gets a lease holds at first, where `missing` units are missing and `leased` leased to others.
    /// `None` where it can't have one, or has no use for it.
    pub(super) fn first_held(&self, missing: u64, leased: u64) -> Option<u64> {
        if self.lease == 0 || leased + self.lease > self.leased || missing == leased {
            return None;
        }
        // What isn't held is room, and there has to be so much.
        let low = (leased + self.lease).saturating_sub(missing);
        let high = (self.capacity - missing).min(self.lease);
        (low <= high).then(|| (self.lease / 2).clamp(low, high))
    }
}

/// What a lease is for, and all of them together.
///
/// Each owned slot may have its part of what may be leased. It has to be enough to save up for a repeat, or leases would
/// only be a detour; and a bucket so small that two such leases are much of it has none.
const fn leases(capacity: u64, deposits: &[u64], costs: &[u64], penalties: &[u64]) -> (u64, u64) {
    let taken = greatest(&[greatest(costs), greatest(penalties)]);
    let enough = greatest(deposits).saturating_add(taken);
    let one = greatest(&[enough, capacity / LEASED / OWNED as u64]);
    let all = greatest(&[one.saturating_mul(2), capacity / LEASED]);
    if capacity >> UNITS > 0 || all > capacity / TWO_LEASED {
        (0, 0)
    } else {
        (one, all)
    }
}

const fn greatest(values: &[u64]) -> u64 {
    let mut greatest = 0;
    let mut rest = values;
    while let [value, others @ ..] = rest {
        if *value > greatest {
            greatest = *value;
        }
        rest = others;
    }
    greatest
}
