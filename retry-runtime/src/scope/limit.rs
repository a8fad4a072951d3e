//! When something ends: never, at an instant, or a time after a clock that hasn't started.

use core::time::Duration;

use tokio::time::Instant;

use crate::clock;

/// The earliest limit around something.
///
/// A run reads no clock until something in it is first pending. Until then its limits are lengths of time, and from there
/// on instants. Both lie in one word, which runs publish at every poll: instants are in its upper half
/// ([`clock::LEAST`]), and its greatest value is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(u64);

/// What a [`Limit`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Nothing ends it.
    Never,
    /// It ends at this time on the process' clock ([`clock`]).
    At(u64),
    /// It ends so many nanoseconds after something is first pending.
    In(u64),
}

impl Limit {
    /// Nothing ends it.
    pub const NONE: Self = Self(u64::MAX);

    /// Nothing ends it, but there is more than limits around. No clock gets there.
    pub(super) const OPEN: Self = Self(u64::MAX - 1);

    /// It ends at this instant; never, where that lies beyond the range of the process' clock.
    #[must_use]
    #[inline]
    pub fn at(at: Instant) -> Self {
        Self(clock::number(at))
    }

    /// It ends so many nanoseconds after something is first pending; never, where that is more than 292 years.
    #[must_use]
    #[inline]
    pub const fn after(nanos: u64) -> Self {
        if nanos < clock::LEAST {
            Self(nanos)
        } else {
            Self::NONE
        }
    }

    /// It ends at `end` on a clock that began at `epoch`, on the process' clock; an `epoch` of zero is a clock that hasn't.
    ///
    /// On such a clock, an `end` is a length of time ([`timer::FAR`](crate::timer::FAR) at most), or none.
    #[must_use]
    #[inline]
    pub const fn on(epoch: u64, end: u64) -> Self {
        debug_assert!(epoch != 0 || end < clock::LEAST || end == u64::MAX);
        Self(epoch.saturating_add(end))
    }

    /// What it says.
    #[must_use]
    #[inline]
    pub const fn when(self) -> When {
        match self.0 {
            _ if self.is_none() => When::Never,
            nanos if nanos < clock::LEAST => When::In(nanos),
            at => When::At(at),
        }
    }

    /// Whether nothing ends it.
    #[must_use]
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 >= Self::OPEN.0
    }

    /// Whether nothing ends it, and nothing else is around.
    #[inline]
    pub(super) const fn is_alone(self) -> bool {
        self.0 == Self::NONE.0
    }

    /// The same, with `open` for no limit.
    #[inline]
    pub(super) fn or(self, open: Self) -> Self {
        Self(self.0.min(open.0))
    }

    /// Whether it is a length of time, on a clock that hasn't started.
    pub(crate) const fn is_length(self) -> bool {
        self.0 < clock::LEAST
    }

    /// The earlier of two limits. A length of time against an instant is compared from now on.
    #[must_use]
    #[inline]
    pub fn earlier(self, other: Self) -> Self {
        // No length among them, which is what most are: numbers as they are, no limit being the greatest.
        if self.0 & other.0 >= clock::LEAST {
            Self(self.0.min(other.0))
        } else {
            self.earlier_length(other)
        }
    }

    /// One of them is a length of time.
    #[inline(never)]
    fn earlier_length(self, other: Self) -> Self {
        match (self.is_length(), other.is_length()) {
            (true, true) => Self(self.0.min(other.0)),
            (_, true) if self.is_none() => other,
            (true, _) if other.is_none() => self,
            (_, true) => self.earlier_than_length(other),
            _ => other.earlier_than_length(self),
        }
    }

    fn earlier_than_length(self, length: Self) -> Self {
        if clock::now().saturating_add(length.0) < self.0 {
            length
        } else {
            self
        }
    }

    /// The instant, a clock that hasn't started taken to start now; `None` also for what lies beyond every clock.
    #[must_use]
    #[inline]
    pub fn resolve(self) -> Option<Instant> {
        match self.when() {
            When::Never => None,
            When::At(at) => clock::instant(at),
            When::In(nanos) => Instant::now().checked_add(Duration::from_nanos(nanos)),
        }
    }
}
