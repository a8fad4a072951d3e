//! What the adversary can bring about at one node: every end it can force, and the most it can run up on the way.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::tree::Key;

/// What is remembered, by keys of a few small numbers: folding them is a third of the time of the default hasher's.
pub(crate) type Memory<K, V> = HashMap<K, V, BuildHasherDefault<Fold>>;

#[derive(Default)]
pub(crate) struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u8(byte);
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        // The table takes the upper bits for its tags and the lower ones for places.
        self.0 ^ (self.0 >> 29)
    }
}

/// No such instant.
pub(crate) const NEVER: u8 = u8::MAX;

/// Leaves a tree may have.
pub(crate) const LEAVES: usize = 6;

/// Stands for work without end.
pub(crate) const ENDLESS: u16 = 30_000;

/// How a node's run stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum End {
    Ok,
    /// The operation's own error, or a value that `until` refused to the end.
    Err,
    TimedOut,
    DeadlineExceeded,
    /// An enclosing limit passed; the run unwinds to it.
    Cut,
    /// A sibling decided; the run is dropped.
    Cancelled,
    /// It never ends.
    Hang,
}

impl End {
    pub(crate) const fn failed(self) -> bool {
        matches!(self, Self::Err | Self::TimedOut | Self::DeadlineExceeded)
    }

    /// Whether the node itself came to an end.
    pub(crate) const fn ended(self) -> bool {
        matches!(self, Self::Ok) || self.failed()
    }
}

/// The most of each that is run up on a way to one outcome, and everything that can happen on one.
///
/// All figures add along a run, and each supremum is sought by itself, so the maximum per outcome loses nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    pub(crate) calls: u16,
    pub(crate) work: u16,
    pub(crate) leaves: [u16; LEAVES],
    pub(crate) charges: [u16; Key::ALL.len()],
    pub(crate) events: u128,
}

impl Figures {
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        sum.calls = sum.calls.saturating_add(other.calls);
        sum.work = sum.work.saturating_add(other.work).min(ENDLESS);
        for (mine, theirs) in sum.leaves.iter_mut().zip(other.leaves) {
            *mine = mine.saturating_add(theirs);
        }
        for (mine, theirs) in sum.charges.iter_mut().zip(other.charges) {
            *mine = mine.saturating_add(theirs);
        }
        sum.events |= other.events;
        sum
    }

    pub(crate) fn or(&mut self, other: &Self) {
        self.calls = self.calls.max(other.calls);
        self.work = self.work.max(other.work);
        for (mine, theirs) in self.leaves.iter_mut().zip(other.leaves) {
            *mine = (*mine).max(theirs);
        }
        for (mine, theirs) in self.charges.iter_mut().zip(other.charges) {
            *mine = (*mine).max(theirs);
        }
        self.events |= other.events;
    }

    pub(crate) fn with(mut self, events: u128) -> Self {
        self.events |= events;
        self
    }
}

/// Units taken from each key's enclosing allowances.
pub(crate) type Used = [u8; Key::ALL.len()];

/// Where one run can stand: after `at` milliseconds of its node, ended by `end`, having used up `used`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) at: u8,
    pub(crate) end: End,
    pub(crate) used: Used,
}

/// Every outcome of a node in one situation, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcomes(Vec<(Point, Figures)>);

impl Outcomes {
    pub(crate) fn one(at: u8, end: End, figures: Figures) -> Self {
        let mut outcomes = Self::default();
        outcomes.add(at, end, [0; 2], &figures);
        outcomes
    }

    pub(crate) fn add(&mut self, at: u8, end: End, used: Used, figures: &Figures) {
        let point = Point { at, end, used };
        match self.0.binary_search_by(|(there, _)| there.cmp(&point)) {
            Ok(i) => self.0[i].1.or(figures),
            Err(i) => self.0.insert(i, (point, *figures)),
        }
    }

    pub(crate) fn add_all(&mut self, other: &Self, after: u8, used: Used, figures: &Figures) {
        for (point, theirs) in other.iter() {
            self.add(
                later(after, point.at),
                point.end,
                sum(used, point.used),
                &figures.plus(theirs),
            );
        }
    }

    /// Marks every outcome with what has happened on the way to it.
    pub(crate) fn note(&mut self, events: u128) {
        for (_, figures) in &mut self.0 {
            figures.events |= events;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Point, Figures)> {
        self.0.iter()
    }

    pub(crate) fn can_succeed(&self) -> bool {
        self.0.iter().any(|(point, _)| point.end == End::Ok)
    }

    pub(crate) fn most_used(&self) -> Used {
        self.0.iter().fold([0; 2], |most, (point, _)| {
            [most[0].max(point.used[0]), most[1].max(point.used[1])]
        })
    }
}

pub(crate) fn sum(a: Used, b: Used) -> Used {
    [a[0].saturating_add(b[0]), a[1].saturating_add(b[1])]
}

/// An instant `wait` after `at`; `NEVER` stays what it is.
pub(crate) fn later(at: u8, wait: u8) -> u8 {
    at.saturating_add(wait)
}

/// An instant seen from `by` later.
pub(crate) fn seen_from(at: u8, by: u8) -> u8 {
    if at == NEVER { NEVER } else { at.saturating_sub(by) }
}
