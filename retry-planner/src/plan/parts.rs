//! What a row carries beside its figures: what deadlines inside make of the node, what is charged to a budget, and the leaf
//! that is called most.

use crate::amount::{add, least, most, mul, sub};
use crate::tree::Kind;

/// What the deadlines inside a node make of it, and what it needs to succeed.
#[derive(Clone, Copy)]
pub(crate) struct Inner {
    /// Its fastest success, however fast branches fail.
    pub(crate) time: u128,
    /// The last point on the policy's clock at which it can start and still succeed; `NONE` where no deadline says.
    pub(crate) start_by: u128,
    /// The point by which everything inside has ended; `NONE` where deadlines don't say. A repeat that starts after it could
    /// not succeed, so there is none (rule 20).
    pub(crate) last_end: u128,
    /// The earliest deadline; `NONE` where there is none.
    pub(crate) first_deadline: u128,
}

/// What is charged to the key that is asked for, at the most.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) retries: u128,
    pub(crate) hedges: u128,
    pub(crate) units: u128,
}

impl Asked {
    pub(super) const NOTHING: Self = Self {
        retries: 0,
        hedges: 0,
        units: 0,
    };

    pub(super) const fn and(self, other: Self) -> Self {
        Self {
            retries: add(self.retries, other.retries),
            hedges: add(self.hedges, other.hedges),
            units: add(self.units, other.units),
        }
    }

    pub(super) const fn times(self, n: u128) -> Self {
        Self {
            retries: mul(self.retries, n),
            hedges: mul(self.hedges, n),
            units: mul(self.units, n),
        }
    }

    pub(super) const fn at_most(self, limit: u128) -> Self {
        Self {
            retries: least(self.retries, limit),
            hedges: least(self.hedges, limit),
            units: least(self.units, limit),
        }
    }
}

/// How many factors of a product of calls are told apart; those further in are multiplied into the last.
pub(crate) const FACTORS: usize = 8;

/// The leaf of a node that is called most, as amplification counts it.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) node: usize,
    pub(crate) calls: u128,
    /// How many of the repeaters around one leaf pay into no budget, at most.
    pub(crate) unpaid: u32,
    /// The repeaters around this leaf, the innermost first, by how many attempts or copies they start.
    pub(crate) factors: [u128; FACTORS],
    pub(crate) len: usize,
}

impl Leaf {
    pub(super) const fn once(node: usize) -> Self {
        Self {
            node,
            calls: 1,
            unpaid: 0,
            factors: [0; FACTORS],
            len: 0,
        }
    }

    pub(super) const fn or(self, other: Self) -> Self {
        // A node that has taken in nothing yet has no leaf.
        let mut all = if self.node == usize::MAX || other.calls > self.calls {
            other
        } else {
            self
        };
        if self.unpaid > all.unpaid {
            all.unpaid = self.unpaid;
        }
        if other.unpaid > all.unpaid {
            all.unpaid = other.unpaid;
        }
        all
    }

    pub(super) const fn times(mut self, started: u128, paid: bool) -> Self {
        self.calls = mul(self.calls, started);
        self.unpaid += if paid { 0 } else { 1 };
        if self.len == FACTORS {
            self.factors[0] = mul(self.factors[0], self.factors[1]);
            let mut i = 1;
            while i + 1 < FACTORS {
                self.factors[i] = self.factors[i + 1];
                i += 1;
            }
            self.len -= 1;
        }
        self.factors[self.len] = started;
        self.len += 1;
        self
    }
}

impl Inner {
    pub(super) const fn with(self, kind: Kind<'_>, child: Self) -> Self {
        let (time, start_by) = match kind {
            Kind::Fallback | Kind::Race => {
                (least(self.time, child.time), most(self.start_by, child.start_by))
            }
            Kind::Series => (
                add(self.time, child.time),
                least(self.start_by, sub(child.start_by, self.time)),
            ),
            _ => (most(self.time, child.time), least(self.start_by, child.start_by)),
        };
        Self {
            time,
            start_by,
            last_end: most(self.last_end, child.last_end),
            first_deadline: least(self.first_deadline, child.first_deadline),
        }
    }
}
